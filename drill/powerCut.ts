/** A power cut for a directory: an ext4 file system in a file that loses, at one moment, all that was not flushed to its disk. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Disk = {
  /** A directory on the disk. */
  readonly dir: string
  /** The kind of disk, for the result. */
  readonly description: string
  /** Cuts the power: nothing reaches the disk from the moment this resolves. */
  cut(): Promise<void>
  /** Restores what the disk held at the cut. No process may use it. */
  recover(): Promise<void>
  close(): Promise<void>
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: every later write fails, and unflushed data is lost. */
const shutdown = `open(my $dir, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2); ioctl($dir, 0x8004587D, $flags) or die $!`

/** A disk in `place`, or why this machine can't make one. */
export async function openDisk(directory: string): Promise<Disk | { readonly why: string }> {
  const [image, copy, mounted] = ['disk.ext4', 'copy.ext4', 'disk'].map(name => join(directory, name)) as [
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
  /** A process that was just killed may still hold it. */
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
  // an aborted drill leaves no mount behind
  const atExit = () => void spawnSync('umount', ['--lazy', mounted])
  process.once('exit', atExit)
  const dir = join(mounted, 'data')
  mkdirSync(dir)
  return {
    dir,
    description: 'power cuts on an ext4 image, which lose all unflushed data',
    async cut() {
      await run('perl', ['-e', shutdown, mounted])
    },
    async recover() {
      await unmount()
      // the journal of the copy is replayed, without any memory of the old mount
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
