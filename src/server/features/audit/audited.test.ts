/** Which call writes what into the audit, tried out (docs/promises.md "Personal data"). */
import { expect, test } from 'vitest'
import { calls } from '#contract/index.ts'
import { rowOf } from '../../testing/bodies.ts'
import { openMatrix } from '../../testing/matrix.ts'
import type { Owned } from '../../testing/owners.ts'

/** The entries that a call writes with the body of the matrix, made by an administrator where they may. Written by hand: a row that is left out fails. */
const written: Readonly<Record<string, readonly string[]>> = {
  'webhooks.remove': ['webhook.remove'],
  'hotelconfig.edit': ['config.edit'],
  'hotelconfig.editentries': ['config.edit'],
  'hotelconfig.delete': ['site.retire'],
  'hotelconfig.newadmin': ['account.create'],
  'transports.remove': ['config.edit'],
  'vehicleConfigs.save': ['vehicleConfig.edit'],
  'vehicleConfigs.remove': ['vehicleConfig.remove'],
  'labelReports.save': ['labelReport.edit'],
  'labelReports.remove': ['labelReport.remove'],
  'counts.start': ['count.start'],
  'counts.solve': ['count.solve'],
  'counts.end': ['count.end'],
  'customers.save': ['customer.edit'],
  'customers.saveaccount': ['account.edit'],
  'customers.setdisabled': ['account.disable'],
  'customers.resetpassword': ['account.password'],
  'customers.resetfactors': ['account.factors'],
  'imports.undo': ['import.undo'],
  'articles.save': ['article.edit'],
  'articles.merge': ['article.merge'],
  'fleet.new': ['vehicle.new'],
  'fleet.update': ['vehicle.update'],
  'tyres.add': ['tyre.add'],
  'tyres.changeset': ['tyre.set'],
  'tyres.undoset': ['tyre.set'],
  'tyres.remove': ['tyre.remove'],
  'tyres.measure': ['tyre.measure'],
  'tyres.notedot': ['tyre.dot'],
  'mounts.change': ['odometer.record', 'tyre.mount'],
  'moves.tyres': ['tyre.refit'],
  'moves.leave': ['tyre.remove', 'vehicle.leave'],
  'odometers.record': ['odometer.record'],
  'odometers.withdraw': ['odometer.withdraw'],
  'operations.new': ['operation.new'],
  'operations.update': ['operation.edit'],
  'operations.delete': ['operation.delete'],
  'operations.swap': ['operation.new', 'operation.submit'],
  'operations.cancel': ['operation.cancel'],
  'operations.reschedule': ['operation.reschedule'],
  'operations.withdraw': ['operation.withdraw'],
  'operations.confirm': ['operation.confirm'],
  'operations.noshow': ['operation.noshow'],
  'invoicing.inject': ['invoicing.inject'],
  'invoicing.waive': ['invoicing.waive'],
  'invoicing.unwaive': ['invoicing.unwaive'],
  'invoicing.markinvoiced': ['invoicing.mark'],
  'tariff.add': ['tariff.add'],
  'tariff.succeed': ['tariff.add', 'tariff.end'],
  'tariff.end': ['tariff.end'],
  'tariff.remove': ['tariff.remove'],
  'charges.inject': ['invoicing.inject'],
  'charges.waive': ['charge.waive'],
  'charges.unwaive': ['charge.unwaive'],
  'charges.counter': ['charge.counter'],
  'billing.begin': ['billing.begin'],
  'invoices.setup': ['invoice.setup'],
  'invoices.savebuyer': ['invoice.buyer'],
  'invoices.credit': ['invoice.credit'],
  'invoices.savemapping': ['invoice.mapping'],
  'payments.setup': ['payment.setup'],
  'payments.record': ['payment.record'],
  'payments.writeoff': ['payment.writeoff'],
  'payments.allocate': ['payment.allocate'],
  'payments.refund': ['payment.refund'],
  'payments.undo': ['payment.undo'],
  'payments.undofile': ['payment.undofile'],
  'payments.answer': ['payment.answer'],
  'payments.setaside': ['payment.setaside'],
  'reminders.setup': ['reminder.setup'],
  'reminders.stop': ['reminder.stop'],
  'reminders.unstop': ['reminder.unstop'],
  'locations.make': ['location.make'],
  'locations.edit': ['location.edit'],
  'locations.remove': ['location.remove'],
  'locations.move': ['location.move'],
  'locations.plan': ['location.plan'],
  'wheels.step': ['wheel.miss'],
  'wheels.close': ['wheel.close'],
  'wheels.settle': ['wheel.settle'],
  'wheels.orphan': ['wheel.orphan'],
  'wheels.identify': ['wheel.identify'],
  'wheels.dismiss': ['wheel.dismiss'],
  'waves.end': ['wave.end'],
  'gate.sign': ['gate.sign'],
  'disposals.record': ['pickup.record'],
  'disposals.edit': ['pickup.edit'],
  'disposals.withdraw': ['pickup.withdraw'],
  'damages.report': ['damage.report'],
  'damages.end': ['damage.end'],
  'papers.sign': ['papers.sign'],
  'papers.save': ['papers.save'],
  'people.driver': ['driver.export'],
  'people.erasedriver': ['driver.erase'],
  'people.account': ['account.export'],
  'people.eraseaccount': ['account.erase'],
  'locale.new': ['translation.create'],
  'locale.update': ['translation.update'],
  'locale.delete': ['translation.delete'],
}

/** Calls that change something and write no entry, by why. A new one has to be here or above. */
const withoutEntry = {
  'a security event says it': ['account.endothers', 'tokens.make', 'tokens.makesite', 'tokens.revokesite'],
  'the history of the wheel says it': ['counts.place', 'operations.markscan', 'waves.scan', 'waves.miss', 'waves.undo'],
  'the print is noted with its tyres': ['labels.print', 'labels.send', 'fleet.getTyreLabels'],
  'it is about the reader alone': ['hotelconfig.dismissfirststeps', 'notices.read', 'notices.choose'],
  'the delivery is sent once more': ['webhooks.replay'],
  'these bodies change nothing': [
    'signOn.unlink',
    'mounts.deny',
    'customers.import',
    'articles.retire',
    'invoicing.unmarkinvoiced',
    'gate.load',
    'gate.leave',
    'locale.forget',
    'locale.import',
  ],
} as const

/** Calls that refuse the body of the matrix: tests of their own read the entries of those that write some. */
const refused = [
  'account.endsession',
  'account.addapp',
  'account.removeapp',
  'account.addpasskey',
  'account.removepasskey',
  'account.renewcodes',
  'tokens.revoke',
  'webhooks.save',
  'webhooks.rotate',
  'signOn.save',
  'signOn.remove',
  'hotelconfig.editconfigimage',
  'hotelconfig.new',
  'customers.sendlink',
  'imports.take',
  'fleet.inactivate',
  'fleet.transfer',
  'tyres.unmeasure',
  'mounts.undo',
  'operations.closemissing',
  'operations.unscan',
  'invoicing.credit',
  'invoicing.undomarking',
  'invoicing.withdraw',
  'billing.make',
  'billing.cancel',
  'billing.resume',
  'billing.undo',
  'billing.mail',
  'invoices.make',
  'invoices.makerun',
  'invoices.send',
  'payments.take',
  'reminders.send',
  'locations.unmove',
  'waves.plan',
  'waves.planday',
  'damages.addphoto',
  'views.save',
  'views.mail',
  'views.remove',
]

let own: Owned
const { now } = openMatrix(async (_, rowsOf) => {
  own = await rowsOf('a')
})

const changing = calls.filter(({ name, call }) => call.invalidates.length > 0 || Object.hasOwn(written, name))

test.each(changing.map(({ name, call }) => [name, call] as const))('%s', async (name, call) => {
  const matrix = now()
  const { at } = matrix
  const may = (role: 'admin' | 'user') => call.who === 'anyone' || call.who.includes(role)
  const who = may('admin') ? at.who.admin : may('user') ? at.who.a : at.who.superuser
  const row = rowOf(name, who.type)
  const [last] = await at.query<{ id: number }>('select coalesce(max(id), 0)::int as id from audit')
  const { status, text } = await matrix.ask(call, row, who, row.body(own), own)
  const entries = await at.query<{ action: string; actor: number | null }>(
    'select distinct action, account_id as actor from audit where id > $1 order by action',
    [last?.id],
  )
  if (refused.includes(name)) expect([status >= 400, entries], text.slice(0, 300)).toEqual([true, []])
  else
    expect([status, entries], text.slice(0, 300)).toEqual([
      200,
      (written[name] ?? []).map(action => ({ action, actor: who.account })),
    ])
})

test('every call that changes something has its entries here, or a reason to write none', () => {
  const named = [...Object.keys(written), ...Object.values(withoutEntry).flat(), ...refused]
  expect(named.toSorted()).toEqual(changing.map(({ name }) => name).toSorted())
})
