/** A mail server for tests: it takes messages, or fails as real ones do. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** The server's behaviour for the next message: `is silent` accepts connections and says nothing, `stalls` takes the message and
 * never answers, `drops` ends the connection in the middle. */
type Answer = 'takes' | 'is silent' | 'unknown address' | 'try later' | 'refuses' | 'stalls' | 'drops'

export type MailServer = {
  readonly url: string
  /** The messages that it took, in their order. */
  readonly taken: ParsedMail[]
  /** Its behaviour from now on, one message after the other; the last one stays. */
  answers: Answer[]
  /** How many messages it was given and never answered. */
  stalling: number
  close(): Promise<void>
}

const replies: Partial<Record<Answer, [code: number, text: string]>> = {
  'try later': [451, '4.7.1 greylisted, try later'],
  refuses: [554, '5.6.0 refused'],
}

const reply = ([code, text]: [number, string]): Error => Object.assign(new Error(text), { responseCode: code })

/** Starts a mail server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const taken: ParsedMail[] = []
  const started: MailServer = { url: '', taken, answers: ['takes'], stalling: 0, close: () => Promise.resolve() }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // the connection that was never answered would keep the server open for half a minute
    closeTimeout: 1,
    onConnect(_session, callback) {
      if (started.answers[0] !== 'is silent') callback()
    },
    onRcptTo(_address, _session, callback) {
      if (started.answers[0] !== 'unknown address') return callback()
      next()
      callback(reply([550, '5.1.1 no such user']))
    },
    onData(stream, session, callback) {
      const answer = next()
      if (answer === 'stalls') {
        started.stalling++
        return void stream.resume()
      }
      if (answer === 'drops') {
        for (const connection of server.connections) if (connection.id === session.id) connection.close()
        return
      }
      const refused = replies[answer]
      simpleParser(stream, (error, mail) => {
        if (refused || !mail) return callback(refused ? reply(refused) : error)
        taken.push(mail)
        callback()
      })
    },
  })
  const next = (): Answer => {
    const [answer = 'takes', ...rest] = started.answers
    if (rest.length > 0) started.answers = rest
    return answer
  }
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return Object.assign(started, {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  })
}
