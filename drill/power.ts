/**
 * A power cut for a directory: an ext4 file system in a file, which loses at one moment all that was not written through to its
 * disk, as a machine does whose plug is pulled.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Disk = {
  /** A directory on it. */
  readonly dir: string
  /** What it is, for the figure. */
  readonly says: string
  /** Cuts the power: from the moment that this answers nothing reaches the disk any more. */
  cut(): Promise<void>
  /** Goes on with what the disk held at the cut, when no process uses it any more. */
  recover(): Promise<void>
  close(): Promise<void>
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: every later write fails, and what was not yet on the disk never gets there. */
const shutdown = `open(my $dir, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2); ioctl($dir, 0x8004587D, $flags) or die $!`

/** A disk in `place`, or why this machine gives none. */
export async function openDisk(place: string): Promise<Disk | { readonly why: string }> {
  const [image, copy, mounted] = ['disk.ext4', 'copy.ext4', 'disk'].map(name => join(place, name)) as [
    string,
    string,
    string,
  ]
  const mount = () => run('mount', ['-o', 'loop', image, mounted])
  try {
    await run('truncate', ['-s', '4G', image])
    await run('mkfs.ext4', ['-q', '-F', image])
    mkdirSync(mounted)
    await mount()
  } catch (error) {
    return {
      why:
        String((error as { stderr?: string }).stderr || (error as Error).message)
          .trim()
          .split('\n')[0] ?? '',
    }
  }
  /** A process that was killed a moment ago still holds it. */
  const unmount = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await run('umount', [mounted])
        return
      } catch (error) {
        if (tries === 100) throw error
        await pause(100)
      }
    }
  }
  // a drill that is broken off leaves no mount behind
  const atExit = () => void spawnSync('umount', ['--lazy', mounted])
  process.once('exit', atExit)
  const dir = join(mounted, 'data')
  mkdirSync(dir)
  return {
    dir,
    says: 'power cut on an ext4 image: all that was not on the disk is lost',
    async cut() {
      await run('perl', ['-e', shutdown, mounted])
    },
    async recover() {
      await unmount()
      // as found by whoever comes after: the journal of the copy is replayed, nothing of the old mount helps
      await run('cp', ['--sparse=always', image, copy])
      await rename(copy, image)
      await mount()
    },
    async close() {
      if (existsSync(dir)) await unmount()
      process.removeListener('exit', atExit)
      rmSync(image, { force: true })
    },
  }
}
