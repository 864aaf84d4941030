/** A process of a drill's own, beside the portal, that can be killed and started again. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export class Killable {
  readonly #module: URL
  readonly #args: readonly string[]
  #process: ChildProcess | null = null
  /** `file` is a module of this folder that sends a message when it is ready. */
  constructor(file: string, args: readonly string[]) {
    this.#module = new URL(file, import.meta.url)
    this.#args = args
  }
  async start(): Promise<void> {
    this.#process = fork(this.#module, [...this.#args])
    await once(this.#process, 'message')
  }
  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, 'exit')
    this.#process?.kill('SIGKILL')
    await ended
    this.#process = null
  }
}
