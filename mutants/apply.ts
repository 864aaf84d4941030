/** A rule broken in a copy of its file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stamped } from '../src/server/db/functions.ts'
import type { Rule } from './rules.ts'

/** The text of the rule's file under `root` with the rule broken. @throws Error unless the text to find is there exactly once */
export function broken({ file, find, put }: Pick<Rule, 'file' | 'find' | 'put'>, root: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1) throw new Error(`${file} has ${times} times, not once: ${find}`)
  if (find === put) throw new Error(`${file} would stay as it is: ${find}`)
  const changed = text.replace(find, () => put)
  // a function of the database without a new version would be refused, under any rule
  return file.startsWith('db/functions/') ? stamped(changed) : changed
}
