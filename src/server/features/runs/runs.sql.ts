/** The statement that says whether there is a run to work on. */
import { statement } from '../../db/statement.ts'
import { bool } from '../../db/types.ts'

/** Whether there is a billing run or a run of reminders to work on, of any site. */
export const isWaiting = statement({
  name: 'runs.waiting',
  parameters: {},
  row: { waiting: bool },
  sql: `select exists (select from billing_run where state in ('counting', 'making', 'undoing'))
     or exists (select from reminder_run where state = 'sending') as waiting`,
})
