/**
 * Every way in which a call can refuse, as a code with facts (docs/product.md "Failures"). The text of a code is in the
 * namespace `failures` of each language; its facts fill the placeholders of that text.
 */

/** The HTTP status of each code. A foreign id and a missing one are the same `record.missing`: nobody learns that it exists. */
export const failures = {
  'request.invalid': 400,
  'request.route_missing': 404,
  'request.precondition': 412,
  'request.too_large': 413,
  'request.wrong_type': 415,
  'request.range': 416,
  'request.expectation': 417,
  'request.too_much': 422,
  'request.too_many': 429,
  'request.foreign_origin': 403,
  'request.untrusted_proxy': 403,
  'request.key_reused': 409,
  'server.unexpected': 500,
  'server.unavailable': 503,
  'server.busy': 429,
  'site.unknown': 404,
  'site.mode': 403,
  'session.missing': 401,
  'session.forbidden': 403,
  'session.stale': 403,
  'token.invalid': 401,
  'token.scope': 403,
  'token.closed': 403,
  'token.scope_refused': 409,
  'token.too_many': 409,
  'login.wrong': 401,
  'login.too_many': 429,
  'login.locked': 429,
  'login.expired': 401,
  'factor.wrong': 409,
  'signOn.off': 409,
  'signOn.key': 409,
  'signOn.address': 409,
  'signOn.unreachable': 409,
  'signOn.unusable': 409,
  'signOn.client': 409,
  'signOn.expired': 409,
  'signOn.declined': 409,
  'signOn.failed': 409,
  'signOn.claim': 409,
  'signOn.no_account': 409,
  'signOn.linked': 409,
  'record.missing': 404,
  'operation.step': 409,
  'operation.period_too_long': 400,
  'operation.not_scanned': 409,
  'operation.all_missing': 409,
  'operation.not_missing': 409,
  'operation.tyres_busy': 409,
  'operation.tyres_refused': 409,
  'operation.tyres_mixed': 409,
  'operation.service_refused': 409,
  'operation.service_blocked': 409,
  'operation.parts_refused': 409,
  'operation.tachometer_refused': 409,
  'delivery.missing': 409,
  'delivery.too_early': 409,
  'delivery.too_late': 409,
  'delivery.weekday': 409,
  'delivery.closed': 409,
  'delivery.day_full': 409,
  'delivery.transport_missing': 409,
  'vehicle.plate_taken': 409,
  'vehicle.configuration_fixed': 409,
  'vehicle.in_use': 409,
  'vehicle.operations_open': 409,
  'vehicle.transfer_date': 409,
  'configuration.name_taken': 409,
  'configuration.wheels_fixed': 409,
  'configuration.in_use': 409,
  'configuration.foreign': 409,
  'set.positions_taken': 409,
  'set.name_missing': 409,
  'tyre.position_missing': 409,
  'tyre.status_refused': 409,
  'tyre.deeper': 409,
  'tyre.depth_hidden': 409,
  'tyre.reading_date': 409,
  'article.unknown_refused': 409,
  'article.unknown_incomplete': 409,
  'label.report_missing': 404,
  'label.name_taken': 409,
  'label.last': 409,
  'image.missing': 400,
  'image.unreadable': 400,
  'image.too_large': 413,
  'config.changed': 409,
  'config.factor_impossible': 409,
  'config.url_taken': 409,
  'config.code_taken': 409,
  'config.article_missing': 409,
  'config.transport_in_use': 409,
  'account.name_taken': 409,
  'account.name_deceptive': 400,
  'account.password_weak': 400,
  'account.password_guessable': 400,
  'account.password_known': 400,
  'account.password_wrong': 409,
  'account.last_admin': 409,
  'account.own': 409,
  'account.no_factor': 409,
  'account.factor_needed': 409,
  'account.too_many_passkeys': 409,
  'link.invalid': 404,
  'mail.off': 409,
  'mail.no_address': 409,
  'customer.code_taken': 409,
  'import.unusable': 400,
  'import.columns_missing': 400,
  'import.rows_refused': 409,
  'import.cancelled': 409,
  'import.touched': 409,
  'import.undone': 409,
  'invoicing.changed': 409,
  'invoicing.article_missing': 409,
  'invoicing.nothing': 409,
  'invoicing.documented': 409,
  'invoicing.date_ahead': 409,
  'invoicing.no_marking': 409,
  'invoicing.not_storage': 409,
  'invoicing.withdrawn': 409,
  'translation.placeholders': 409,
  'translation.unknown_placeholders': 409,
  'location.name_taken': 409,
  'location.in_use': 409,
  'location.full': 409,
  'location.too_small': 409,
  'wheel.step': 409,
} as const satisfies Record<string, number>

export type FailureCode = keyof typeof failures
export const failureCodes = Object.keys(failures) as FailureCode[]

export type Facts = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** A refusal with its code and facts, thrown anywhere and answered as `{ code, message, params, requestId }`. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly facts: Facts
  constructor(code: FailureCode, facts: Facts = {}) {
    super(code)
    this.name = 'Failure'
    this.code = code
    this.facts = facts
  }
  get status(): number {
    return failures[this.code]
  }
}

/** The reply of a refused call. */
export type Refusal = { code: FailureCode; message: string; params: Facts; requestId: string }
