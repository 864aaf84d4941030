import { backups } from '../features/backups/backups.ts'
import { billing } from '../features/billing/billing.ts'
import { board } from '../features/board/board.ts'
import { cards } from '../features/cards/cards.ts'
import { changes } from '../features/changes/changes.ts'
import { charges } from '../features/charges/charges.ts'
import { counts } from '../features/counts/counts.ts'
import { customers } from '../features/customers/customers.ts'
import { damages } from '../features/damages/damages.ts'
import { find } from '../features/find/find.ts'
import { disposals } from '../features/disposals/disposals.ts'
import { figures } from '../features/figures/figures.ts'
import { fleet } from '../features/fleet/fleet.ts'
import { gate } from '../features/gate/gate.ts'
import { invoices } from '../features/invoices/invoices.ts'
import { invoicing } from '../features/invoicing/invoicing.ts'
import { labelReports } from '../features/config/labelReports.ts'
import { labels } from '../features/labels/labels.ts'
import { locale } from '../features/translations/translations.ts'
import { articles } from '../features/articles/articles.ts'
import { imports } from '../features/imports/imports.ts'
import { locations } from '../features/locations/locations.ts'
import { audit, security } from '../features/logs/logs.ts'
import { mails } from '../features/mail/mails.ts'
import { mounts } from '../features/mounts/mounts.ts'
import { moves } from '../features/moves/moves.ts'
import { notices } from '../features/notices/notices.ts'
import { odometers } from '../features/odometers/odometers.ts'
import { operations } from '../features/operations/operations.ts'
import { papers } from '../features/papers/papers.ts'
import { payments } from '../features/payments/payments.ts'
import { reminders } from '../features/reminders/reminders.ts'
import { people } from '../features/people/people.ts'
import type { Handlers } from '../features/handler.ts'
import { hotelconfig } from '../features/config/config.ts'
import { transports } from '../features/config/transports.ts'
import { signOn } from '../features/signOn/signOn.ts'
import { site } from '../features/sites/sites.ts'
import { account } from '../features/session/account.ts'
import { users } from '../features/session/signIn.ts'
import { stock } from '../features/stock/stock.ts'
import { tariff } from '../features/tariff/tariff.ts'
import { today } from '../features/today/today.ts'
import { tokens } from '../features/tokens/tokens.ts'
import { tyres } from '../features/tyres/tyres.ts'
import { vehicleConfigs } from '../features/vehicleConfigs/vehicleConfigs.ts'
import { views } from '../features/views/views.ts'
import { waves } from '../features/waves/waves.ts'
import { webhooks } from '../features/webhooks/webhooks.ts'
import { wheels } from '../features/wheels/wheels.ts'

export const handlers: Handlers = {
  users,
  account,
  tokens,
  webhooks,
  signOn,
  site,
  hotelconfig,
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
  today,
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
