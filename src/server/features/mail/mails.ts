/** The fate of messages, for the superuser. */
import type { Handlers } from '../handler.ts'
import { listMails } from './mail.sql.ts'

export const mails: Handlers['mails'] = {
  async list({ tx }) {
    await tx.asSystem()
    return tx.json(listMails, {})
  },
}
