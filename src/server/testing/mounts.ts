/** Small and read-only file systems for tests, where this process may mount one: root, outside of most containers. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Mounts a file system in memory on a folder. @returns how to remove it */
export function mount(folder: string, options: string): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'ignore' })
  return () => void execFileSync('umount', [folder], { stdio: 'ignore' })
}

export const canMount = (() => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-mount-'))
  try {
    mount(folder, 'size=64k')()
    return true
  } catch {
    return false
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})()
