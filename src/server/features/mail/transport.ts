/** How messages leave: through the mail server of the operator (SMTP_URL). */
import { createTransport } from 'nodemailer'
import type { Message } from './compose.ts'

/** Sends one message; `id` names it for good, so that a receiver who gets it twice shows it once. */
export type Transport = {
  send(message: Message, id: string): Promise<void>
  close(): void
}

/** The mail server will never take this message: it does not know the address. Another try would be in vain. */
export class Undeliverable extends Error {}

/** How long the mail server may take for each step, in ms. */
const defaultTimeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 15_000,
}

/** The transport over a mail server; `from` is the address that messages come from, under the name of the reader's site. */
export function smtpTransport(
  { url, from }: { readonly url: string; readonly from: string },
  timeouts: Partial<typeof defaultTimeouts> = {},
): Transport {
  const server = createTransport({
    url,
    ...defaultTimeouts,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(message, id) {
      const { to, from: name, replyTo, subject, text, html, logo, attachment, unsubscribe } = message
      try {
        await server.sendMail({
          messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
          from: { name, address: from },
          to,
          subject,
          text,
          html,
          ...(replyTo && { replyTo }),
          attachments: [
            ...(logo
              ? [{ filename: 'logo.png', content: logo, cid: 'logo', contentDisposition: 'inline' as const }]
              : []),
            ...(attachment
              ? [{ filename: attachment.filename, content: attachment.content, contentType: 'application/pdf' }]
              : []),
          ],
          // nobody's absence is told to a portal (RFC 3834)
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>` }),
          },
        })
      } catch (error) {
        const { code, responseCode = 0, message: problem } = error as Error & { code?: string; responseCode?: number }
        if ((code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500) throw new Undeliverable(problem)
        throw error
      }
    },
    close: () => server.close(),
  }
}
