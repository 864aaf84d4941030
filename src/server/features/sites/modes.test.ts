/**
 * Who may make which call in which mode (docs/product/accounts.md "Accounts and roles", "Operating modes"). The table is written by hand,
 * independent of the contract, so that a call with another declaration fails. Whose rows a call reaches: testing/matrix.ts.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modes, type Mode } from '#domain/site.ts'
import { calls } from '#contract/index.ts'
import { warehouseOf } from '../../testing/warehouse.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

/**
 * `all`: in every mode. `hotel`: in hotelonly and both. `-`: never. `nobody` is not signed in; `warehouse` is an administrator restricted
 * to the warehouse.
 */
const table = `
                                           nobody  user   admin  warehouse  superuser
  POST /users/authenticate                 all     all    all    all        all
  POST /users/loginstate                   all     all    all    all        all
  POST /users/logout                       all     all    all    all        all
  POST /users/forgotten                    all     all    all    all        all
  POST /users/link                         all     all    all    all        all
  POST /users/setpassword                  all     all    all    all        all
  POST /users/newpassword                  all     all    all    all        all
  POST /users/factor                       all     all    all    all        all
  POST /users/askpasskey                   all     all    all    all        all
  POST /users/passkey                      all     all    all    all        all
  POST /users/offer                        all     all    all    all        all
  POST /users/enrolapp                     all     all    all    all        all
  POST /users/enrolpasskey                 all     all    all    all        all
  POST /mails/list                         -       -      -      -          all
  GET  /gsc                                all     all    all    all        all
  POST /hotelconfig/tsconfigdata           -       all    all    all        -
  POST /fleet/getvehicleconfigs            -       all    all    all        -
  POST /operations/new                     -       hotel  hotel  -          -
  POST /operations/update                  -       hotel  hotel  -          -
  POST /operations/delete                  -       hotel  hotel  -          -
  POST /operations/fetch                   -       hotel  hotel  -          -
  POST /operations/bookedtransportdays     -       hotel  hotel  -          -
  POST /operations/plan                    -       hotel  hotel  -          -
  POST /operations/swap                    -       hotel  hotel  -          -
  POST /operations/completedbydate         -       hotel  hotel  -          -
  POST /operations/admin                   -       -      hotel  hotel      -
  POST /operations/adminopsbydate          -       -      hotel  -          -
  POST /operations/adminopsbydate_light    -       -      hotel  -          -
  POST /operations/cancel                  -       -      hotel  -          -
  POST /operations/withdraw                -       hotel  -      -          -
  POST /operations/reschedule              -       -      hotel  -          -
  POST /operations/confirm                 -       -      hotel  hotel      -
  POST /operations/markscan                -       -      hotel  hotel      -
  POST /operations/unscan                  -       -      hotel  hotel      -
  POST /operations/trail                   -       hotel  hotel  -          -
  POST /operations/missing                 -       -      hotel  hotel      -
  POST /operations/noshow                  -       -      hotel  -          -
  POST /operations/closemissing            -       -      hotel  -          -
  POST /fleet/vehicle                      -       all    all    -          -
  POST /fleet/health                       -       all    all    -          -
  POST /fleet/nearing                      -       all    all    -          -
  POST /fleet/reaching                     -       all    all    -          -
  POST /fleet/registered                   -       all    all    -          -
  POST /fleet/update                       -       all    all    -          -
  POST /fleet/new                          -       all    all    -          -
  POST /fleet/inactivate                   -       all    all    -          -
  POST /fleet/transfer                     -       -      all    -          -
  POST /fleet/history                      -       all    all    -          -
  POST /fleet/historydocument              -       all    all    all        -
  POST /fleet/searcharticles               -       all    all    -          -
  POST /fleet/fetch                        -       all    all    all        -
  POST /fleet/findcustomerbyname           -       -      all    -          -
  POST /fleet/findtyre                     -       -      hotel  hotel      -
  POST /fleet/recentStockLocations         -       hotel  hotel  hotel      -
  POST /fleet/getTyreLabels                -       hotel  hotel  hotel      -
  POST /hotelconfig/firststeps             -       -      all    -          -
  POST /hotelconfig/dismissfirststeps      -       -      all    -          -
  POST /hotelconfig/adminconfig            -       -      all    -          all
  POST /hotelconfig/edit                   -       -      all    -          all
  POST /hotelconfig/editconfigimage        -       -      all    -          all
  POST /hotelconfig/getall                 -       -      -      -          all
  POST /hotelconfig/new                    -       -      -      -          all
  POST /hotelconfig/delete                 -       -      -      -          all
  GET  /locale/all                         -       -      -      -          all
  POST /locale/update                      -       -      -      -          all
  POST /locale/delete                      -       -      -      -          all
  POST /invoicing/customers                -       -      hotel  -          -
  POST /invoicing/inject                   -       -      hotel  -          -
  POST /invoicing/markinvoiced             -       -      hotel  -          -
  POST /invoicing/unmarkinvoiced           -       -      hotel  -          -
  GET  /locales/{lng}/{ns}.json            all     all    all    all        all
  POST /locales/add/{lng}/{ns}             all     all    all    all        all

  POST /users/language                     -       all    all    all        all
  POST /users/password                     -       all    all    all        all
  POST /tokens/own                         -       all    all    -          -
  POST /tokens/make                        -       all    all    -          -
  POST /tokens/revoke                      -       all    all    -          -
  POST /tokens/site                        -       -      all    -          -
  POST /tokens/makesite                    -       -      all    -          -
  POST /tokens/revokesite                  -       -      all    -          -
  POST /webhooks/list                      -       all    all    -          -
  POST /webhooks/ofcustomers               -       -      all    -          -
  POST /webhooks/save                      -       all    all    -          -
  POST /webhooks/remove                    -       all    all    -          -
  POST /webhooks/rotate                    -       all    all    -          -
  POST /webhooks/test                      -       all    all    -          -
  POST /webhooks/log                       -       all    all    -          -
  POST /webhooks/replay                    -       all    all    -          -
  POST /changes/vehicles                   -       all    all    -          -
  POST /changes/tyres                      -       all    all    -          -
  POST /changes/mounts                     -       all    all    -          -
  POST /changes/odometers                  -       all    all    -          -
  POST /changes/operations                 -       hotel  hotel  -          -
  POST /changes/documents                  -       hotel  hotel  -          -
  POST /changes/customers                  -       -      all    -          -
  POST /notices/list                       -       all    all    -          -
  POST /notices/read                       -       all    all    -          -
  POST /notices/settings                   -       all    all    -          -
  POST /notices/choose                     -       all    all    -          -
  POST /notices/unsubscribe                all     all    all    all        all
  POST /views/list                         -       all    all    -          -
  POST /views/save                         -       all    all    -          -
  POST /views/mail                         -       all    -      -          -
  POST /views/remove                       -       all    all    -          -
  POST /account/sessions                   -       all    all    all        all
  POST /account/endsession                 -       all    all    all        all
  POST /account/endothers                  -       all    all    all        all
  POST /account/askpasskey                 -       all    all    all        all
  POST /account/confirm                    -       all    all    all        all
  POST /account/factors                    -       all    all    all        all
  POST /account/offer                      -       all    all    all        all
  POST /account/addapp                     -       all    all    all        all
  POST /account/removeapp                  -       all    all    all        all
  POST /account/addpasskey                 -       all    all    all        all
  POST /account/removepasskey              -       all    all    all        all
  POST /account/renewcodes                 -       all    all    all        all
  POST /signon/begin                       all     all    all    all        all
  POST /signon/finish                      all     all    all    all        all
  POST /signon/settings                    -       -      all    -          -
  POST /signon/save                        -       -      all    -          -
  POST /signon/remove                      -       -      all    -          -
  POST /signon/unlink                      -       -      all    -          -
  POST /fleet/addtyres                     -       hotel  hotel  -          -
  POST /fleet/deletetyres                  -       hotel  hotel  -          -
  POST /fleet/changetyreset                -       all    all    -          -
  POST /fleet/undotyreset                  -       all    all    -          -
  POST /fleet/measuretyres                 -       all    all    all        -
  POST /fleet/unmeasuretyres               -       all    all    all        -
  POST /fleet/notetyredot                  -       all    all    all        -
  POST /fleet/tyredots                     -       all    all    all        -
  POST /mounts/vehicle                     -       all    all    -          -
  POST /mounts/fleet                       -       all    all    -          -
  POST /mounts/change                      -       all    all    -          -
  POST /mounts/deny                        -       all    all    -          -
  POST /mounts/undo                        -       all    all    -          -
  POST /fleet/movetyres                    -       all    all    all        -
  POST /fleet/leave                        -       all    all    -          -
  POST /fleet/left                         -       all    all    -          -
  POST /odometers/record                   -       all    all    -          -
  POST /odometers/withdraw                 -       all    all    -          -
  POST /fleet/tyreevents                   -       all    all    all        -
  POST /fleet/tyreforecast                 -       all    all    -          -
  POST /customers/list                     -       -      all    -          -
  POST /customers/customer                 -       -      all    -          -
  POST /customers/save                     -       -      all    -          -
  POST /customers/accounts                 -       -      all    -          -
  POST /customers/saveaccount              -       -      all    -          -
  POST /customers/setdisabled              -       -      all    -          -
  POST /customers/resetpassword            -       -      all    -          -
  POST /customers/resetfactors             -       -      all    -          -
  POST /customers/sendlink                 -       -      all    -          -
  POST /customers/export                   -       -      all    -          -
  POST /customers/import                   -       -      all    -          -
  POST /articles/list                      -       -      all    -          -
  POST /articles/save                      -       -      all    -          -
  POST /articles/retire                    -       -      all    -          -
  POST /articles/sameean                   -       -      all    -          -
  POST /articles/unknown                   -       -      all    -          -
  POST /articles/merge                     -       -      all    -          -
  POST /imports/check                      -       -      all    -          -
  POST /imports/take                       -       -      all    -          -
  POST /imports/progress                   -       -      all    -          -
  POST /imports/list                       -       -      all    -          -
  POST /imports/undo                       -       -      all    -          -
  POST /tariff/list                        -       -      hotel  -          -
  POST /tariff/add                         -       -      hotel  -          -
  POST /tariff/succeed                     -       -      hotel  -          -
  POST /tariff/end                         -       -      hotel  -          -
  POST /tariff/remove                      -       -      hotel  -          -
  POST /charges/list                       -       -      hotel  -          -
  POST /charges/preview                    -       -      hotel  -          -
  POST /charges/inject                     -       -      hotel  -          -
  POST /charges/waive                      -       -      hotel  -          -
  POST /charges/unwaive                    -       -      hotel  -          -
  POST /charges/counter                    -       -      hotel  -          -
  POST /billing/list                       -       -      hotel  -          -
  POST /billing/owing                      -       -      hotel  -          -
  POST /billing/read                       -       -      hotel  -          -
  POST /billing/begin                      -       -      hotel  -          -
  POST /billing/make                       -       -      hotel  -          -
  POST /billing/cancel                     -       -      hotel  -          -
  POST /billing/resume                     -       -      hotel  -          -
  POST /billing/undo                       -       -      hotel  -          -
  POST /billing/pdf                        -       -      hotel  -          -
  POST /billing/zip                        -       -      hotel  -          -
  POST /billing/mail                       -       -      hotel  -          -
  POST /invoices/settings                  -       -      hotel  -          -
  POST /invoices/setup                     -       -      hotel  -          -
  POST /invoices/buyer                     -       -      hotel  -          -
  POST /invoices/savebuyer                 -       -      hotel  -          -
  POST /invoices/open                      -       -      hotel  -          -
  POST /invoices/list                      -       -      hotel  -          -
  POST /invoices/make                      -       -      hotel  -          -
  POST /invoices/makerun                   -       -      hotel  -          -
  POST /invoices/credit                    -       -      hotel  -          -
  POST /invoices/lines                     -       -      hotel  -          -
  POST /invoices/send                      -       -      hotel  -          -
  POST /invoices/pdf                       -       -      hotel  -          -
  POST /invoices/ubl                       -       -      hotel  -          -
  POST /invoices/mapping                   -       -      hotel  -          -
  POST /invoices/savemapping               -       -      hotel  -          -
  POST /invoices/export                    -       -      hotel  -          -
  POST /payments/settings                  -       -      hotel  -          -
  POST /payments/setup                     -       -      hotel  -          -
  POST /payments/list                      -       -      hotel  -          -
  POST /payments/record                    -       -      hotel  -          -
  POST /payments/writeoff                  -       -      hotel  -          -
  POST /payments/allocate                  -       -      hotel  -          -
  POST /payments/refund                    -       -      hotel  -          -
  POST /payments/undo                      -       -      hotel  -          -
  POST /payments/take                      -       -      hotel  -          -
  POST /payments/files                     -       -      hotel  -          -
  POST /payments/undofile                  -       -      hotel  -          -
  POST /payments/lines                     -       -      hotel  -          -
  POST /payments/answer                    -       -      hotel  -          -
  POST /payments/setaside                  -       -      hotel  -          -
  POST /payments/account                   -       hotel  hotel  -          -
  POST /payments/statement                 -       hotel  hotel  -          -
  POST /reminders/settings                 -       -      hotel  -          -
  POST /reminders/setup                    -       -      hotel  -          -
  POST /reminders/due                      -       -      hotel  -          -
  POST /reminders/send                     -       -      hotel  -          -
  POST /reminders/runs                     -       -      hotel  -          -
  POST /reminders/pdf                      -       -      hotel  -          -
  POST /reminders/stops                    -       -      hotel  -          -
  POST /reminders/stop                     -       -      hotel  -          -
  POST /reminders/unstop                   -       -      hotel  -          -
  POST /hotelconfig/editentries            -       -      all    -          all
  POST /hotelconfig/plannedrecalls         -       -      all    -          all
  POST /hotelconfig/admins                 -       -      -      -          all
  POST /hotelconfig/newadmin               -       -      -      -          all
  POST /hotelconfig/transportusage         -       -      all    -          all
  POST /hotelconfig/removetransport        -       -      all    -          all
  POST /hotelconfig/vehicleconfigs         -       -      all    -          -
  POST /hotelconfig/savevehicleconfig      -       -      all    -          -
  POST /hotelconfig/deletevehicleconfig    -       -      all    -          -
  POST /hotelconfig/labelreports           -       -      hotel  hotel      -
  POST /hotelconfig/savelabelreport        -       -      hotel  -          -
  POST /hotelconfig/deletelabelreport      -       -      hotel  -          -
  POST /invoicing/tyres                    -       -      hotel  -          -
  POST /invoicing/preview                  -       -      hotel  -          -
  POST /invoicing/documents                -       -      hotel  -          -
  POST /invoicing/waive                    -       -      hotel  -          -
  POST /invoicing/unwaive                  -       -      hotel  -          -
  POST /invoicing/waivers                  -       -      hotel  -          -
  POST /invoicing/left                     -       -      hotel  -          -
  POST /invoicing/lefttyres                -       -      hotel  -          -
  POST /invoicing/credits                  -       -      hotel  -          -
  POST /invoicing/credit                   -       -      hotel  -          -
  POST /invoicing/undomarking              -       -      hotel  -          -
  POST /invoicing/withdraw                 -       -      hotel  -          -
  POST /locations/all                      -       -      hotel  hotel      -
  POST /locations/tyres                    -       -      hotel  hotel      -
  POST /locations/make                     -       -      hotel  -          -
  POST /locations/edit                     -       -      hotel  -          -
  POST /locations/remove                   -       -      hotel  -          -
  POST /locations/move                     -       -      hotel  hotel      -
  POST /locations/unmove                   -       -      hotel  hotel      -
  POST /locations/plan                     -       -      hotel  hotel      -
  POST /locations/labels                   -       -      hotel  hotel      -
  POST /wheels/step                        -       -      hotel  hotel      -
  POST /wheels/close                       -       -      hotel  hotel      -
  POST /wheels/clearup                     -       -      hotel  hotel      -
  POST /wheels/tally                       -       -      hotel  hotel      -
  POST /wheels/settle                      -       -      hotel  hotel      -
  POST /wheels/orphan                      -       -      hotel  hotel      -
  POST /wheels/candidates                  -       -      hotel  hotel      -
  POST /wheels/identify                    -       -      hotel  hotel      -
  POST /wheels/dismiss                     -       -      hotel  hotel      -
  POST /counts/all                         -       -      hotel  hotel      -
  POST /counts/start                       -       -      hotel  hotel      -
  POST /counts/places                      -       -      hotel  hotel      -
  POST /counts/next                        -       -      hotel  hotel      -
  POST /counts/place                       -       -      hotel  hotel      -
  POST /counts/solve                       -       -      hotel  hotel      -
  POST /counts/end                         -       -      hotel  hotel      -
  POST /counts/report                      -       -      hotel  hotel      -
  POST /damages/list                       -       hotel  hotel  hotel      -
  POST /damages/report                     -       -      hotel  hotel      -
  POST /damages/end                        -       -      hotel  hotel      -
  POST /damages/addphoto                   -       -      hotel  hotel      -
  POST /damages/photo                      -       hotel  hotel  hotel      -
  POST /damages/small                      -       hotel  hotel  hotel      -
  POST /waves/all                          -       -      hotel  hotel      -
  POST /waves/plan                         -       -      hotel  hotel      -
  POST /waves/planday                      -       -      hotel  hotel      -
  POST /waves/round                        -       -      hotel  hotel      -
  POST /waves/scan                         -       -      hotel  hotel      -
  POST /waves/miss                         -       -      hotel  hotel      -
  POST /waves/undo                         -       -      hotel  hotel      -
  POST /waves/end                          -       -      hotel  hotel      -
  POST /gate/read                          -       -      hotel  hotel      -
  POST /gate/lane                          -       -      hotel  hotel      -
  POST /gate/load                          -       -      hotel  hotel      -
  POST /gate/leave                         -       -      hotel  hotel      -
  POST /gate/sign                          -       -      hotel  hotel      -
  POST /today/read                         -       -      hotel  -          -
  POST /board/read                         -       -      hotel  -          -
  POST /board/unmoved                      -       -      hotel  -          -
  POST /figures/revenue                    -       -      hotel  -          -
  POST /figures/occupancy                  -       -      hotel  -          -
  POST /figures/customers                  -       -      hotel  -          -
  POST /figures/deliveries                 -       -      hotel  -          -
  POST /figures/unpaid                     -       -      hotel  -          -
  POST /labels/day                         -       -      hotel  hotel      -
  POST /labels/printers                    -       -      hotel  hotel      -
  POST /labels/send                        -       -      hotel  hotel      -
  POST /labels/print                       -       -      hotel  hotel      -
  POST /stock/statement                    -       hotel  hotel  -          -
  POST /stock/statementpdf                 -       hotel  hotel  -          -
  POST /disposals/waiting                  -       -      hotel  -          -
  POST /disposals/record                   -       -      hotel  -          -
  POST /disposals/edit                     -       -      hotel  -          -
  POST /disposals/withdraw                 -       -      hotel  -          -
  POST /disposals/list                     -       hotel  hotel  -          -
  POST /disposals/proof                    -       hotel  hotel  -          -
  POST /cards/read                         -       -      hotel  hotel      -
  POST /cards/commands                     -       -      hotel  hotel      -
  POST /find                               -       all    all    -          -
  POST /backups/latest                     -       -      all    -          all
  POST /papers/receipt                     -       hotel  hotel  -          -
  POST /papers/receiptpdf                  -       hotel  hotel  -          -
  POST /papers/sign                        -       -      hotel  -          -
  POST /papers/mail                        -       -      hotel  -          -
  POST /papers/overview                    -       hotel  hotel  -          -
  POST /papers/layout                      -       -      hotel  -          -
  POST /papers/save                        -       -      hotel  -          -
  POST /papers/preview                     -       -      hotel  -          -
  POST /people/driver                      -       -      all    -          -
  POST /people/erasedriver                 -       -      all    -          -
  POST /people/account                     -       -      all    -          -
  POST /people/eraseaccount                -       -      all    -          -
  POST /audit/list                         -       -      all    -          all
  POST /audit/people                       -       -      all    -          all
  POST /audit/export                       -       -      all    -          all
  POST /security/list                      -       -      all    -          all
  POST /security/people                    -       -      all    -          all
  POST /security/export                    -       -      all    -          all
  GET  /locale/shipped                     -       -      -      -          all
  POST /locale/new                         -       -      -      -          all
  POST /locale/preview                     -       -      -      -          all
  POST /locale/missing                     -       -      -      -          all
  POST /locale/forget                      -       -      -      -          all
  POST /locale/export                      -       -      -      -          all
  POST /locale/import                      -       -      -      -          all
`
const principals = ['nobody', 'user', 'admin', 'warehouse', 'superuser'] as const
type Name = (typeof principals)[number]
type When = 'all' | 'hotel' | '-'

const rows = [...table.matchAll(/^ +(GET|POST) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+)$/gm)].map(
  ([, method, path, ...when]) => ({
    method: method as 'GET' | 'POST',
    path: path as string,
    when: Object.fromEntries(principals.map((name, nth) => [name, when[nth]])) as Record<Name, When>,
  }),
)

/** The refusal that is expected, if any: of the account first, then of the mode. */
function expected(name: Name, when: When, mode: Mode): { status: number; code: string } | 'allowed' {
  if (when === 'all' || (when === 'hotel' && mode !== 'fleetonly')) return 'allowed'
  if (name === 'nobody') return { status: 401, code: 'session.missing' }
  return when === 'hotel' ? { status: 403, code: 'site.mode' } : { status: 403, code: 'session.forbidden' }
}

let at: World
let callers: Record<Name, Principal>
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  const { anonymous: nobody, a: user, admin, superuser } = at.who
  callers = { nobody, user, admin, warehouse: await warehouseOf(at), superuser }
})
afterAll(() => at.close())

test('the table has a row for every call, and no other', () => {
  const named = rows.map(({ method, path }) => `${method} ${path}`)
  expect(named.toSorted()).toEqual(calls.map(({ call }) => `${call.method} ${call.path}`).toSorted())
  expect(new Set(rows.flatMap(({ when }) => Object.values(when)))).toEqual(new Set(['all', 'hotel', '-']))
})

async function ask(method: 'GET' | 'POST', path: string, who: Principal): Promise<{ status: number; code: unknown }> {
  const url = path.replace('{lng}', 'en').replace('{ns}', 'common')
  const reply = await at.app.inject({
    method,
    url,
    headers: { host: who.host, ...(who.cookie ? { cookie: who.cookie } : {}) },
    // an empty body changes nothing: who may call gets an answer, or a refusal of the body
    ...(method === 'POST' && { payload: {} }),
  })
  const body: unknown = (reply.headers['content-type'] ?? '').toString().includes('json') ? reply.json() : null
  return {
    status: reply.statusCode,
    code: body !== null && typeof body === 'object' && 'code' in body ? body.code : null,
  }
}

/** Puts the session back after a sign-out, for the next call. */
async function signInAgain(who: Principal): Promise<void> {
  if (!who.cookie) return
  const token = createHash('sha256')
    .update(who.cookie.slice(who.cookie.indexOf('=') + 1))
    .digest()
  await at.query(
    `insert into session (token_hash, account_id, site_id, created_at, seen_at)
     select $1, a.id, a.site_id, $3, $3 from account a where a.id = $2 on conflict do nothing`,
    [token, who.account, at.clock.now],
  )
}

describe.each(modes)('in mode %s', mode => {
  beforeAll(() => at.setSite(at.sites.home, { mode }))

  test.each(rows)('$method $path', async ({ method, path, when }) => {
    const actual: Record<string, unknown> = {}
    const wanted: Record<string, unknown> = {}
    for (const name of principals) {
      const who = callers[name]
      const { status, code } = await ask(method, path, who)
      if (path === '/users/logout') await signInAgain(who)
      const refused = status === 401 || status === 403
      actual[name] = refused ? { status, code } : 'allowed'
      wanted[name] = expected(name, when[name], mode)
      expect(status, `${name}: ${String(code)}`).toBeLessThan(500)
    }
    expect(actual).toEqual(wanted)
  })
})
