/** A PostgreSQL server that outlived the portal that started it. */
import type { Cluster } from './cluster.ts'
import { claimPidFile, readPidFile } from './pidFile.ts'
import { isWindows, run } from './platform.ts'
import { stopServer } from './server.ts'
import type { Log } from './startup.ts'
import { untilNoneWorksIn, worksIn } from './workingIn.ts'

/**
 * Stops an orphaned server, and waits until no process of it is left. We hold the data directory, so nobody else uses it; it is
 * stopped and not taken over, because it may run with the binaries and settings of an earlier version.
 */
export async function stopOrphan(cluster: Cluster, log: Log): Promise<void> {
  const { clusterDir } = cluster
  const orphan = await findOrphan(clusterDir)
  if (orphan) {
    log('The last Wheelhouse on this data directory was ended by force. Closing the database that it left behind.')
    await stopServer(orphan, cluster, async () => !(await isServerOf(orphan, clusterDir)))
  }
  const left = readPidFile(clusterDir)
  if (!left) return
  // The id of the dead server is in use: by another process that has got it since, or by the dead one until the system removes it.
  // PostgreSQL would take that for a running server. It knows that our own id is none; the rest of the file stays, because
  // PostgreSQL checks with it that no other process of the dead server still works.
  if (isAlive(left.pid)) claimPidFile(clusterDir)
  // after a kill -9 its processes notice within moments; as long as one lives, PostgreSQL refuses to start
  await untilNoneWorksIn(clusterDir)
}

/** The process of a server that works on this cluster, if there is one. */
export async function findOrphan(clusterDir: string): Promise<number | undefined> {
  const pid = readPidFile(clusterDir)?.pid
  return pid && (await isServerOf(pid, clusterDir)) ? pid : undefined
}

/** Whether a process is the PostgreSQL server of this cluster. */
async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') return worksIn(String(pid), clusterDir)
    if (isWindows) return (await run('tasklist', ['/FI', `PID eq ${pid}`, '/NH'])).stdout.includes('postgres')
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.includes(clusterDir)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
