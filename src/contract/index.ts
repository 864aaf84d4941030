/** Every call of the portal. Most features have one name here, on the server and in the browser. */
import { articles } from './articles.ts'
import { backups } from './backups.ts'
import { billing } from './billing.ts'
import { board } from './board.ts'
import type { AnswerName, Call } from './call.ts'
import { cards } from './cards.ts'
import { changes } from './changes.ts'
import { charges } from './charges.ts'
import { counts } from './counts.ts'
import { customers } from './customers.ts'
import { damages } from './damages.ts'
import { disposals } from './disposals.ts'
import { find } from './find.ts'
import { figures } from './figures.ts'
import { fleet } from './fleet.ts'
import { gate } from './gate.ts'
import { hotelconfig } from './config.ts'
import { imports } from './imports.ts'
import { invoices } from './invoices.ts'
import { invoicing } from './invoicing.ts'
import { labelReports } from './labelReports.ts'
import { labels } from './labels.ts'
import { locale } from './translations.ts'
import { locations } from './locations.ts'
import { audit, security } from './logs.ts'
import { mails } from './mail.ts'
import { mounts } from './mounts.ts'
import { moves } from './moves.ts'
import { notices } from './notices.ts'
import { odometers } from './odometers.ts'
import { views } from './views.ts'
import { operations } from './operations.ts'
import { papers } from './papers.ts'
import { payments } from './payments.ts'
import { people } from './people.ts'
import { reminders } from './reminders.ts'
import { account, users } from './session.ts'
import { signOn } from './signOn.ts'
import { site } from './sites.ts'
import { stock } from './stock.ts'
import { tariff } from './tariff.ts'
import { tokens } from './tokens.ts'
import { today } from './today.ts'
import { transports } from './transports.ts'
import { tyres } from './tyres.ts'
import { vehicleConfigs } from './vehicleConfigs.ts'
import { waves } from './waves.ts'
import { webhooks } from './webhooks.ts'
import { wheels } from './wheels.ts'

export const contract = {
  users,
  account,
  tokens,
  webhooks,
  signOn,
  site,
  hotelconfig,
  today,
  transports,
  vehicleConfigs,
  labelReports,
  labels,
  counts,
  customers,
  imports,
  articles,
  fleet,
  tyres,
  mounts,
  moves,
  odometers,
  operations,
  invoicing,
  tariff,
  charges,
  billing,
  invoices,
  payments,
  reminders,
  locations,
  wheels,
  waves,
  gate,
  board,
  figures,
  stock,
  disposals,
  cards,
  damages,
  find,
  changes,
  papers,
  people,
  audit,
  security,
  locale,
  mails,
  notices,
  views,
  backups,
}
export type Contract = typeof contract

type CallName = { [F in keyof Contract]: `${F}.${keyof Contract[F] & string}` }[keyof Contract]

/** All calls with their names (`operations.confirm`). */
export const calls: readonly { name: string; call: Call }[] = Object.values(contract).flatMap(entries =>
  Object.values(entries as Record<string, Call>).map(call => ({ name: call.name, call })),
)

/** Does not compile when an `AnswerName` is not the name of a call. */
type Unknown = Exclude<AnswerName, CallName | 'texts'>
true satisfies [Unknown] extends [never] ? true : Unknown
