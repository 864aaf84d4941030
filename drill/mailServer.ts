/**
 * A mail server in a process of its own, which can be killed: `node drill/mailServer.ts PORT FILE`. It fails one message in three,
 * each time in another way, and now and then does not answer at all. What it takes it writes to the file before it says so.
 */
import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A message that the server took. `told` is false when the connection ended before it could say so. */
export type TakenMail = { readonly to: string; readonly id: string; readonly subject: string; readonly told: boolean }

/** Faults by the number of the message: all others are accepted. */
const faults: Readonly<Record<number, 'try later' | 'drops' | 'takes and drops' | 'stalls'>> = {
  2: 'try later',
  5: 'drops',
  8: 'takes and drops',
  11: 'try later',
  14: 'stalls',
}
const rounds = 15

function listen(port: number, file: string): void {
  let given = 0
  const write = (taken: TakenMail): void => {
    const open = openSync(file, 'a')
    appendFileSync(open, `${JSON.stringify(taken)}\n`)
    fsyncSync(open)
    closeSync(open)
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, callback) {
      const fault = faults[given++ % rounds]
      const drop = (): void => {
        for (const connection of server.connections) if (connection.id === session.id) connection.close()
      }
      simpleParser(stream, (error, mail) => {
        if (!mail) return callback(error)
        if (fault === 'try later') return callback(Object.assign(new Error('4.7.1 try later'), { responseCode: 451 }))
        if (fault === 'stalls') return
        if (fault === 'drops') return drop()
        const [to = ''] = session.envelope.rcptTo.map(({ address }) => address)
        write({ to, id: mail.messageId ?? '', subject: mail.subject ?? '', told: fault === undefined })
        if (fault) return drop()
        callback()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1', () => process.send?.('listening'))
  process.once('disconnect', () => process.exit(0))
}

if (import.meta.main) listen(Number(process.argv[2]), process.argv[3] ?? '')
