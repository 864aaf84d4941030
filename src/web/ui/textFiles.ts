import type account from '../../../texts/en/account.json'
import type desk from '../../../texts/en/desk.json'
import type articles from '../../../texts/en/articles.json'
import type audit from '../../../texts/en/audit.json'
import type billing from '../../../texts/en/billing.json'
import type board from '../../../texts/en/board.json'
import type camera from '../../../texts/en/camera.json'
import type cards from '../../../texts/en/cards.json'
import type charges from '../../../texts/en/charges.json'
import type common from '../../../texts/en/common.json'
import type counts from '../../../texts/en/counts.json'
import type customers from '../../../texts/en/customers.json'
import type config from '../../../texts/en/config.json'
import type damages from '../../../texts/en/damages.json'
import type factors from '../../../texts/en/factors.json'
import type failures from '../../../texts/en/failures.json'
import type find from '../../../texts/en/find.json'
import type figures from '../../../texts/en/figures.json'
import type fleet from '../../../texts/en/fleet.json'
import type fleetmanagement from '../../../texts/en/fleetmanagement.json'
import type gate from '../../../texts/en/gate.json'
import type home from '../../../texts/en/home.json'
import type imports from '../../../texts/en/imports.json'
import type intake from '../../../texts/en/intake.json'
import type invoices from '../../../texts/en/invoices.json'
import type invoicing from '../../../texts/en/invoicing.json'
import type locations from '../../../texts/en/locations.json'
import type login from '../../../texts/en/login.json'
import type nav from '../../../texts/en/nav.json'
import type notices from '../../../texts/en/notices.json'
import type papers from '../../../texts/en/papers.json'
import type payments from '../../../texts/en/payments.json'
import type documents from '../../../texts/en/documents.json'
import type operations from '../../../texts/en/operations.json'
import type reminders from '../../../texts/en/reminders.json'
import type request from '../../../texts/en/request.json'
import type season from '../../../texts/en/season.json'
import type security from '../../../texts/en/security.json'
import type several from '../../../texts/en/several.json'
import type stock from '../../../texts/en/stock.json'
import type sites from '../../../texts/en/sites.json'
import type tokens from '../../../texts/en/tokens.json'
import type today from '../../../texts/en/today.json'
import type translations from '../../../texts/en/translations.json'
import type tariff from '../../../texts/en/tariff.json'
import type tyres from '../../../texts/en/tyres.json'
import type undo from '../../../texts/en/undo.json'
import type vehicles from '../../../texts/en/vehicles.json'
import type views from '../../../texts/en/views.json'
import type waves from '../../../texts/en/waves.json'
import type webhooks from '../../../texts/en/webhooks.json'
import type wizard from '../../../texts/en/wizard.json'

/** The English texts by namespace: the type of all keys (`texts.ts`). */
export interface Texts {
  account: typeof account
  desk: typeof desk
  articles: typeof articles
  audit: typeof audit
  billing: typeof billing
  board: typeof board
  camera: typeof camera
  cards: typeof cards
  charges: typeof charges
  common: typeof common
  counts: typeof counts
  customers: typeof customers
  config: typeof config
  damages: typeof damages
  factors: typeof factors
  failures: typeof failures
  find: typeof find
  figures: typeof figures
  fleet: typeof fleet
  fleetmanagement: typeof fleetmanagement
  gate: typeof gate
  home: typeof home
  imports: typeof imports
  intake: typeof intake
  invoices: typeof invoices
  invoicing: typeof invoicing
  locations: typeof locations
  login: typeof login
  nav: typeof nav
  notices: typeof notices
  papers: typeof papers
  payments: typeof payments
  documents: typeof documents
  operations: typeof operations
  reminders: typeof reminders
  request: typeof request
  season: typeof season
  security: typeof security
  several: typeof several
  stock: typeof stock
  sites: typeof sites
  tokens: typeof tokens
  today: typeof today
  translations: typeof translations
  tariff: typeof tariff
  tyres: typeof tyres
  undo: typeof undo
  vehicles: typeof vehicles
  views: typeof views
  waves: typeof waves
  webhooks: typeof webhooks
  wizard: typeof wizard
}
