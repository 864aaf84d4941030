/** The authorisation matrix in this mode: testing/matrix.ts. */
import { expect, test } from 'vitest'
import { calls } from '#contract/index.ts'
import { answered } from '../testing/answers.ts'
import { tryMode } from '../testing/matrix.ts'

tryMode('both')

test('the answers of all these calls were held against the API page', () => {
  // these refuse what the matrix sends, such as a wrong password or no picture: tests of their own get their answers
  const refused = [
    'users.authenticate',
    'users.password',
    'users.forgotten',
    'users.link',
    'users.setpassword',
    'users.newpassword',
    'users.factor',
    'users.passkey',
    'users.offer',
    'users.enrolapp',
    'users.enrolpasskey',
    'signOn.begin',
    'signOn.finish',
    'signOn.save',
    'signOn.remove',
    'tokens.revoke',
    'views.save',
    'views.mail',
    'views.remove',
    'webhooks.save',
    'webhooks.rotate',
    'webhooks.test',
    'account.endsession',
    'account.askpasskey',
    'account.confirm',
    'account.addapp',
    'account.removeapp',
    'account.addpasskey',
    'account.removepasskey',
    'account.renewcodes',
    'customers.sendlink',
    'hotelconfig.editconfigimage',
    'hotelconfig.new',
    'imports.check',
    'imports.take',
    'notices.unsubscribe',
    'damages.addphoto',
    'waves.plan',
    'waves.planday',
    'fleet.inactivate',
    'fleet.transfer',
    'operations.adminopsbydate',
    'operations.closemissing',
    'operations.unscan',
    'tyres.unmeasure',
    'locations.unmove',
    'mounts.undo',
    'billing.make',
    'billing.cancel',
    'billing.resume',
    'billing.undo',
    'billing.pdf',
    'invoices.make',
    'invoices.makerun',
    'invoices.send',
    'invoices.ubl',
    'billing.zip',
    'billing.mail',
    'papers.mail',
    'invoicing.preview',
    'invoicing.inject',
    'invoicing.credit',
    'invoicing.undomarking',
    'invoicing.withdraw',
  ]
  const unseen = calls.map(({ name }) => name).filter(name => !answered.has(name))
  expect(unseen.filter(name => !refused.includes(name))).toEqual([])
})
