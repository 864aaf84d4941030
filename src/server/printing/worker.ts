/** A thread of the press (press.ts): draws what it is told to, one job after the other, and says it piece by piece. */
import type { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { printDocument } from './documents.ts'
import { printLabels, printLocationLabels } from './labels.ts'
import type { Job, Said } from './pool.ts'

/** A piece of the PDF is so many letters of base64 at least: each costs the portal a moment. */
const pieceFrom = 16 * 1024

const say = (said: Said): void => parentPort?.postMessage(said)

function paperOf(job: Job): Readable {
  switch (job.kind) {
    case 'labels':
      return printLabels(job.tyres, job.print)
    case 'locations':
      return printLocationLabels(job.locations, job.print)
    case 'document':
      return printDocument(job.document, job.words, job.lang)
  }
}

let paper: Readable | undefined

async function draw(job: Job): Promise<void> {
  try {
    paper = paperOf(job).setEncoding('base64')
    let piece = ''
    for await (const letters of paper as AsyncIterable<string>) {
      piece += letters
      if (piece.length < pieceFrom) continue
      say({ piece })
      piece = ''
    }
    if (piece !== '') say({ piece })
    say({ drawn: true })
  } catch (error) {
    const { message, stack } = error as Error
    say({ failed: message, stack })
  } finally {
    paper = undefined
  }
}

parentPort?.on('message', (told: Job | 'stop') => {
  if (told === 'stop') paper?.destroy(new Error('nobody waits for this print any more'))
  else void draw(told)
})
