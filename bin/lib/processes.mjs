/** Runs programs: with captured output, or in the foreground. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'

const isWindows = process.platform === 'win32'
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** How long a program that was interrupted may take to end, in ms. */
const patience = 10_000

/** The programs that run with captured output, each with what takes back what it has half done. */
const captured = new Map()
/** The signal that ends this process, once all of them have ended. */
let interrupted
let orphanCheck

/** Sends a signal to a program with everything that it has started. */
function killGroup(child, signal) {
  try {
    if (isWindows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // it has ended
  }
}

function interrupt(signal) {
  if (captured.size === 0 || interrupted) return
  interrupted = signal
  for (const child of captured.keys()) killGroup(child, 'SIGTERM')
  setTimeout(() => {
    for (const child of captured.keys()) killGroup(child, 'SIGKILL')
  }, patience).unref()
}

/** Ends captured programs with this process, however that ends: by Ctrl-C, by SIGTERM, or with the npm that has started it. */
function watchSignals() {
  if (orphanCheck) return
  for (const signal of signals) process.on(signal, interrupt)
  const startedBy = ancestors()
  orphanCheck = setInterval(() => {
    if (ancestors() !== startedBy) interrupt('SIGTERM')
  }, 250).unref()
}

function stopWatching() {
  clearInterval(orphanCheck)
  orphanCheck = undefined
  // without a listener a signal ends the process, as it should while nothing runs
  for (const signal of signals) process.removeListener(signal, interrupt)
}

/**
 * Runs a program to its end. When this process is interrupted meanwhile, the program is ended with all that it has started, `undo` takes
 * back what it has half done, and the process ends.
 * @returns its exit code and its output; code 127 when it can't be run
 */
export function capture(command, args, { undo, ...options } = {}) {
  return new Promise(resolve => {
    // The output is shown, if at all, where this process writes: with colours on a terminal only.
    const env = {
      ...(options.env ?? process.env),
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    }
    watchSignals()
    // in a group of its own the terminal's Ctrl-C reaches it by us only, and all that it starts with it
    const child = spawn(command, args, {
      ...options,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: !isWindows,
    })
    captured.set(child, undo)
    let output = ''
    const end = result => {
      captured.delete(child)
      if (interrupted) {
        undo?.()
        if (captured.size === 0) process.exit(128 + os.constants.signals[interrupted])
        return
      }
      if (captured.size === 0) stopWatching()
      resolve(result)
    }
    child.stdout.setEncoding('utf8').on('data', text => (output += text))
    child.stderr.setEncoding('utf8').on('data', text => (output += text))
    child.once('error', error => end({ code: 127, output: error.message }))
    child.once('close', code => child.pid !== undefined && end({ code: code ?? 1, output }))
  })
}

/**
 * Runs a program in the foreground. Ctrl-C and SIGTERM are forwarded to it, and this process waits until it has ended. When the
 * process that started this one is killed, the program is stopped too: a portal whose terminal or npm was killed must not keep
 * running unseen, because it would lock out the next one.
 * @returns its exit code
 */
export function runInForeground(command, args, options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' })
    const forward = signal => child.kill(signal)
    for (const signal of signals) process.on(signal, forward)
    const startedBy = ancestors()
    const orphanCheck = setInterval(() => {
      if (ancestors() === startedBy) return
      clearInterval(orphanCheck)
      child.kill('SIGTERM')
    }, 250)
    const finish = code => {
      clearInterval(orphanCheck)
      for (const signal of signals) process.removeListener(signal, forward)
      resolve(code)
    }
    child.once('error', error => {
      console.error(`${command} can't be run: ${error.message}.`)
      finish(127)
    })
    child.once('exit', (code, signal) => finish(code ?? 128 + (os.constants.signals[signal] ?? 0)))
  })
}

/** Identifies the parent process, and npm where it is the grandparent: a shell between them outlives it. */
function ancestors() {
  const parent = process.ppid
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return String(parent)
  try {
    const afterName = fs.readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1)
    return `${parent} ${afterName.split(' ')[1]}`
  } catch {
    return String(parent)
  }
}
