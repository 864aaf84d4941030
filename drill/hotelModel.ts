/**
 * A model of the tyre hotel, written from docs/product alone; it imports no code of the portal. drill/model.ts
 * compares the two (docs/promises.md "States"). Vehicles, tyres and operations are indexes.
 */

export type Status = 'on_vehicle' | 'in_stock' | 'on_spare' | 'waste' | 'at_customer'
export const kinds = ['to_stock', 'to_customer', 'to_waste'] as const
export type Kind = (typeof kinds)[number]
/** The customer of the fleet, another one of the site, the site's administrator, that of another site. */
export type Caller = 'customer' | 'otherCustomer' | 'admin' | 'otherSiteAdmin'
type Rim = 'steel' | 'aluminum' | null

export type Tyre = {
  vehicle: number
  position: string
  set: string | null
  status: Status
  /** The day of its status, `YYYY-MM-DD`. */
  since: string
  rims: Rim
  bolts: boolean
  hubcaps: boolean
  removed: boolean
}
export type Operation = {
  kind: Kind
  status: 'pending' | 'submitted' | 'confirmed' | 'cancelled' | 'deleted'
  vehicle: number
  /** How often each of its tyres was scanned. */
  tyres: Map<number, number>
  services: number[]
  transport: Transport | null
  day: string | null
  remarks: string
  rims: Rim
  bolts: boolean
  hubcaps: boolean
  tachometer: number | null
  documented: boolean
}
export const transports = ['van', 'courier'] as const
export type Transport = (typeof transports)[number]
/** The editable fields of an operation; missing ones stay unchanged. */
export type Fields = {
  remarks?: string
  rims?: Rim
  bolts?: boolean
  hubcaps?: boolean
  tachometer?: number | null
  services?: number[]
  transport?: Transport | 'foreign' | null
  day?: string | null
}

/** Settings of a site. */
export type Settings = {
  autoProcess: boolean
  documents: boolean
  exceptions: readonly Kind[]
  tachometer: boolean
}

/** The services of the site: type, preselected, blocked. */
export const services: readonly { kind: Kind; preselected: boolean; blocked: boolean }[] = [
  { kind: 'to_stock', preselected: true, blocked: false },
  { kind: 'to_stock', preselected: false, blocked: true },
  { kind: 'to_customer', preselected: true, blocked: true },
  { kind: 'to_waste', preselected: false, blocked: false },
]
/** Its transports; the van is the default. A limit of 0 means none. */
export const transportRules: Record<
  Transport,
  { weekdays: readonly number[]; advance: number; operations: number; tyres: number }
> = {
  van: { weekdays: [1, 2, 3, 4, 5], advance: 1, operations: 1, tyres: 0 },
  courier: { weekdays: [0, 1, 2, 3, 4, 5, 6], advance: 0, operations: 0, tyres: 3 },
}
/** How the reasons against a day begin; a disposal has none. */
const dayOf: Record<Kind, string> = { to_stock: 'arrival', to_customer: 'delivery', to_waste: '' }
/** For tyres that their customer brings. */
const selfDelivered = { weekdays: [0, 1, 2, 3, 4, 5, 6], advance: 0 }
export const positions = ['1A', '1B', '2A', '2B'] as const
/** The set of a tyre with which a sequence begins: those of the second vehicle are in none. */
export const setOf = (vehicle: number, nth: number): string | null =>
  vehicle > 0 ? null : nth < positions.length ? 'Winter' : 'Summer'

/** Rules that a negative control replaces. */
const rules = {
  /** docs/product/tyres.md "Tyre states". */
  refuses: {
    to_stock: ['in_stock', 'waste'],
    to_customer: ['waste', 'at_customer', 'on_vehicle'],
    to_waste: ['waste', 'at_customer', 'on_vehicle'],
    delete: ['in_stock', 'waste'],
  } as Record<Kind | 'delete', readonly Status[]>,
  /** docs/product/operations.md "Effects of an operation". */
  becomes: { to_stock: 'in_stock', to_customer: 'at_customer', to_waste: 'waste' } as Record<Kind, Status>,
  cancelFrees: true,
  undoBy: ['admin'] as readonly Caller[],
  /** docs/decisions/0011 */
  scansSurviveUndo: true,
  lastScanConfirms: true,
  /** docs/product/tyres.md "Tyre sets". */
  needsName: (setless: number, positionNames: number): boolean => setless > 0 && setless >= positionNames,
  wasteHoldsPosition: false,
  /** docs/product/operations.md "Delivery days": its recalls reach the limit, or their tyres do. */
  full: (operations: number, tyres: number, rule: { operations: number; tyres: number }): boolean =>
    (rule.operations > 0 && operations >= rule.operations) || (rule.tyres > 0 && tyres >= rule.tyres),
  countsArrivalsApart: true,
  blockedStays: true,
}
export type Rules = typeof rules

/** All applicable refusal codes; the portal returns one of them. Empty: allowed. */
export type Reasons = Set<string>
const day = 86_400_000
const weekday = (date: string): number => new Date(date).getUTCDay()
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)

export class Hotel {
  readonly settings: Settings
  readonly rules: Rules
  today: string
  readonly vehicles: { removed: boolean }[] = []
  readonly tyres: Tyre[] = []
  readonly operations: Operation[] = []
  /** Accepted scans. */
  readonly scans: { tyre: number; operation: number }[] = []
  /** The number of status changes and removals: each is in the audit. */
  changes = 0
  /** The number of tyre moves. */
  moves = 0

  constructor(settings: Settings, today: string, wrong: Partial<Rules> = {}) {
    this.settings = settings
    this.today = today
    this.rules = { ...rules, ...wrong }
  }

  addVehicle(tyres: readonly Status[]): void {
    const vehicle = this.vehicles.push({ removed: false }) - 1
    for (const [nth, status] of tyres.entries())
      this.tyres.push(this.#tyre(vehicle, positions[nth % 4] ?? '1A', setOf(vehicle, nth), status))
  }

  #tyre(vehicle: number, position: string, set: string | null, status: Status): Tyre {
    return {
      vehicle,
      position,
      set,
      status,
      since: this.today,
      rims: null,
      bolts: false,
      hubcaps: false,
      removed: false,
    }
  }

  /** The open operation that a tyre is in: there is one at most. */
  openOf(tyre: number): number | null {
    const at = this.operations.findIndex(
      operation =>
        operation.tyres.has(tyre) &&
        (operation.status === 'pending' ||
          operation.status === 'submitted' ||
          (operation.status === 'cancelled' && !this.rules.cancelFrees)),
    )
    return at < 0 ? null : at
  }

  mayTake(kind: Kind, tyre: number): boolean {
    const { status, removed } = this.tyres[tyre] as Tyre
    return !removed && !this.rules.refuses[kind].includes(status) && this.openOf(tyre) === null
  }

  /** Whether the caller may see the vehicle. */
  #vehicle(caller: Caller, vehicle: number): boolean {
    return (caller === 'customer' || caller === 'admin') && this.vehicles[vehicle]?.removed === false
  }
  #tyresThere(caller: Caller, tyres: readonly number[]): boolean {
    return tyres.every(tyre => {
      const record = this.tyres[tyre]
      return record !== undefined && !record.removed && this.#vehicle(caller, record.vehicle)
    })
  }
  #operation(caller: Caller, at: number): Operation | null {
    const operation = this.operations[at]
    return operation && operation.status !== 'deleted' && (caller === 'customer' || caller === 'admin')
      ? operation
      : null
  }

  // Operations ------------------------------------------------------------------------------------------------------------

  create(caller: Caller, vehicle: number, tyres: readonly number[], kind: Kind): Reasons {
    const why = new Set<string>()
    if (!this.#vehicle(caller, vehicle) || !this.#tyresThere(caller, tyres)) why.add('record.missing')
    // another caller learns nothing else
    if (caller === 'otherCustomer' || caller === 'otherSiteAdmin') return why
    if (tyres.some(tyre => this.tyres[tyre]?.vehicle !== vehicle)) why.add('operation.tyres_mixed')
    if (tyres.some(tyre => this.rules.refuses[kind].includes((this.tyres[tyre] as Tyre).status)))
      why.add('operation.tyres_refused')
    if (tyres.some(tyre => this.openOf(tyre) !== null)) why.add('operation.tyres_busy')
    if (why.size > 0) return why
    this.operations.push({
      kind,
      status: 'pending',
      vehicle,
      tyres: new Map(tyres.map(tyre => [tyre, 0])),
      services: services.flatMap((service, nth) => (service.kind === kind && service.preselected ? [nth] : [])),
      transport: kind === 'to_customer' ? 'van' : null,
      day: null,
      remarks: '',
      rims: null,
      bolts: false,
      hubcaps: false,
      tachometer: null,
      documented: false,
    })
    return why
  }

  /** Writes into a pending operation, and submits it where `submitting`. */
  edit(caller: Caller, at: number, fields: Fields, submitting: boolean): Reasons {
    const why = new Set<string>()
    const current = this.#operation(caller, at)
    if (!current) return why.add('record.missing')
    if (current.status !== 'pending') return why.add('operation.step')
    const { transport: requested, ...rest } = fields
    const after = { ...current, ...rest }
    const parts = after.rims !== current.rims || after.bolts !== current.bolts || after.hubcaps !== current.hubcaps
    if (parts && current.kind !== 'to_stock') why.add('operation.parts_refused')
    if (after.tachometer !== current.tachometer && !(current.kind === 'to_stock' && this.settings.tachometer))
      why.add('operation.tachometer_refused')
    after.services = [...new Set(after.services)]
    if (after.services.some(nth => services[nth]?.kind !== current.kind)) why.add('operation.service_refused')
    if (
      this.rules.blockedStays &&
      current.services.some(nth => services[nth]?.blocked === true && !after.services.includes(nth))
    )
      why.add('operation.service_blocked')
    this.#deliver(current, after, requested, submitting, why)
    if (why.size > 0) return why
    if (submitting) {
      after.status = 'submitted'
      this.changes++
    }
    this.operations[at] = after
    return why
  }

  #deliver(
    operation: Operation,
    after: Operation,
    requested: Fields['transport'],
    submitting: boolean,
    why: Reasons,
  ): void {
    const changed = requested !== undefined && requested !== operation.transport
    const moved = after.day !== operation.day
    if (operation.kind === 'to_waste') {
      if (changed || moved) why.add('request.invalid')
      return
    }
    if (!submitting && !changed && !moved) return
    if (requested === 'foreign') {
      why.add('record.missing')
      return
    }
    after.transport = requested === undefined ? operation.transport : requested
    this.#keepDay(after, { submitting, moved }, why)
  }

  #keepDay(after: Operation, { submitting, moved }: { submitting: boolean; moved: boolean }, why: Reasons): void {
    if (after.transport === null && after.kind === 'to_customer') {
      if (submitting || (moved && after.day !== null)) why.add('delivery.transport_missing')
      else after.day = null
      return
    }
    if (after.day === null) {
      if (submitting && after.transport !== null) why.add(`${dayOf[after.kind]}.missing`)
      return
    }
    const dayRefusals = this.#unfit(after.kind, after.transport, after.day)
    if (dayRefusals.length === 0) return
    if (submitting || moved) for (const reason of dayRefusals) why.add(reason)
    // a day on which the new transport does not run is cleared
    else after.day = null
  }

  /** docs/product/operations.md "Delivery days": why a day is refused. Without a transport: of tyres that their customer brings. */
  #unfit(kind: Kind, transport: Transport | null, date: string): string[] {
    const rule = transport === null ? selfDelivered : transportRules[transport]
    let first = plusDays(this.today, rule.advance)
    while (!rule.weekdays.includes(weekday(first))) first = plusDays(first, 1)
    const last = new Date(this.today)
    last.setUTCMonth(last.getUTCMonth() + 6)
    const day = dayOf[kind]
    return [
      ...(date < first ? [`${day}.too_early`] : []),
      ...(Date.parse(date) > last.getTime() ? [`${day}.too_late`] : []),
      ...(rule.weekdays.includes(weekday(date)) ? [] : [`${day}.weekday`]),
      ...(transport !== null && this.isFull(transport, date, kind) ? [`${day}.day_full`] : []),
    ]
  }

  /** Recalls and storages of a day are counted apart. */
  isFull(transport: Transport, date: string, kind: Kind = 'to_customer'): boolean {
    const counted = (operation: Operation): boolean => operation.kind === kind || !this.rules.countsArrivalsApart
    const submitted = this.operations.filter(
      operation =>
        counted(operation) &&
        operation.status === 'submitted' &&
        operation.transport === transport &&
        operation.day === date,
    )
    const tyres = submitted.reduce((sum, operation) => sum + operation.tyres.size, 0)
    return this.rules.full(submitted.length, tyres, transportRules[transport])
  }

  /** The days from today on that take no more recalls. */
  bookedDays(transport: Transport): string[] {
    const days = new Set(
      this.operations.flatMap(operation =>
        operation.day !== null && operation.day >= this.today ? [operation.day] : [],
      ),
    )
    return [...days].filter(date => this.isFull(transport, date)).toSorted()
  }

  undo(caller: Caller, at: number): Reasons {
    const why = new Set<string>()
    const current = this.#operation(caller, at)
    if (!current) return why.add('record.missing')
    // already pending: no change
    if (current.status === 'pending') return why
    if (current.status !== 'submitted') return why.add('operation.step')
    if (!this.rules.undoBy.includes(caller)) return why.add('session.forbidden')
    current.status = 'pending'
    if (!this.rules.scansSurviveUndo) for (const tyre of current.tyres.keys()) current.tyres.set(tyre, 0)
    this.changes++
    return why
  }

  remove(caller: Caller, at: number): Reasons {
    const why = new Set<string>()
    const current = this.#operation(caller, at)
    if (!current) return why.add('record.missing')
    if (current.status !== 'pending') return why.add('operation.step')
    current.status = 'deleted'
    this.changes++
    return why
  }

  /** Whether the caller is not an administrator, as the call requires: refused before anything is looked up. */
  #forAdmins(caller: Caller): boolean {
    return caller === 'customer' || caller === 'otherCustomer'
  }

  confirm(caller: Caller, at: number, anyway: boolean, document: boolean): Reasons {
    const why = new Set<string>()
    if (this.#forAdmins(caller)) return why.add('session.forbidden')
    const current = this.#operation(caller, at)
    if (!current) return why.add('record.missing')
    if (current.status !== 'submitted') return why.add('operation.step')
    const missing = new Set([...current.tyres].filter(([, scans]) => scans === 0).map(([tyre]) => tyre))
    if (!anyway && missing.size > 0) return why.add('operation.not_scanned')
    if (missing.size === current.tyres.size) return why.add('operation.all_missing')
    this.#confirmed(current, document, missing)
    return why
  }

  #confirmed(operation: Operation, document = true, missing: ReadonlySet<number> = new Set()): void {
    operation.status = 'confirmed'
    operation.documented = document && this.settings.documents && !this.settings.exceptions.includes(operation.kind)
    this.changes++
    for (const at of operation.tyres.keys()) {
      if (missing.has(at)) continue
      const tyre = this.tyres[at] as Tyre
      const stored = operation.kind === 'to_stock'
      Object.assign(tyre, {
        status: this.rules.becomes[operation.kind],
        since: this.today,
        rims: stored ? operation.rims : null,
        bolts: stored && operation.bolts,
        hubcaps: stored && operation.hubcaps,
      })
      this.moves++
    }
  }

  cancel(caller: Caller, at: number): Reasons {
    const why = new Set<string>()
    if (this.#forAdmins(caller)) return why.add('session.forbidden')
    const current = this.#operation(caller, at)
    if (!current) return why.add('record.missing')
    if (current.status !== 'submitted') return why.add('operation.step')
    current.status = 'cancelled'
    this.changes++
    return why
  }

  /** Scans a tyre and returns the tyres of the answer. */
  scan(caller: Caller, tyre: number, kind: Kind | null): { why: Reasons; answered: number[] } {
    if (this.#forAdmins(caller)) return { why: new Set(['session.forbidden']), answered: [] }
    const open = this.openOf(tyre)
    const submitted = open === null ? null : this.#operation(caller, open)
    if (submitted?.status !== 'submitted' || (kind !== null && submitted.kind !== kind))
      return { why: new Set(), answered: [] }
    this.#scanned(submitted, tyre)
    this.scans.push({ tyre, operation: open as number })
    return { why: new Set(), answered: [tyre] }
  }

  /** Marks the remaining tyres of the operation by hand. */
  markAll(caller: Caller, at: number): { why: Reasons; answered: number[] } {
    if (this.#forAdmins(caller)) return { why: new Set(['session.forbidden']), answered: [] }
    const current = this.#operation(caller, at)
    if (!current) return { why: new Set(['record.missing']), answered: [] }
    if (current.status !== 'submitted') return { why: new Set(['operation.step']), answered: [] }
    const left = [...current.tyres].filter(([, times]) => times === 0)
    for (const [tyre] of left) this.#scanned(current, tyre)
    return { why: new Set(), answered: [...current.tyres.keys()] }
  }

  #scanned(operation: Operation, tyre: number): void {
    operation.tyres.set(tyre, (operation.tyres.get(tyre) ?? 0) + 1)
    if (this.settings.autoProcess && this.rules.lastScanConfirms && ![...operation.tyres.values()].includes(0))
      this.#confirmed(operation)
  }

  // Tyres and sets --------------------------------------------------------------------------------------------------------

  /** Positions of a set taken by other tyres. */
  #held(vehicle: number, set: string, except: readonly number[]): string[] {
    return this.tyres.flatMap((tyre, at) =>
      tyre.vehicle === vehicle &&
      tyre.set === set &&
      !tyre.removed &&
      !except.includes(at) &&
      (tyre.status !== 'waste' || this.rules.wasteHoldsPosition)
        ? [tyre.position]
        : [],
    )
  }

  add(caller: Caller, vehicle: number, positionNames: readonly string[], set: string | null): Reasons {
    const why = new Set<string>()
    if (!this.#vehicle(caller, vehicle)) return why.add('record.missing')
    if (positionNames.some(place => !(positions as readonly string[]).includes(place))) why.add('tyre.position_missing')
    const setless = this.tyres.filter(
      tyre => tyre.vehicle === vehicle && !tyre.removed && tyre.set === null && tyre.status !== 'waste',
    ).length
    if (set === null && this.rules.needsName(setless, positions.length)) why.add('set.name_missing')
    if (set !== null) {
      const taken = [...this.#held(vehicle, set, []), ...positionNames]
      if (positionNames.some(place => taken.filter(other => other === place).length > 1)) why.add('set.positions_taken')
    }
    if (why.size === 0)
      for (const place of positionNames) this.tyres.push(this.#tyre(vehicle, place, set, 'at_customer'))
    return why
  }

  rename(caller: Caller, tyres: readonly number[], set: string): Reasons {
    const why = new Set<string>()
    if (!this.#tyresThere(caller, tyres)) return why.add('record.missing')
    const [vehicle, ...others] = new Set(tyres.map(tyre => (this.tyres[tyre] as Tyre).vehicle))
    if (vehicle === undefined || others.length > 0) return why.add('operation.tyres_mixed')
    const positionNames = tyres.map(tyre => (this.tyres[tyre] as Tyre).position)
    const taken = [...this.#held(vehicle, set, tyres), ...positionNames]
    if (positionNames.some(place => taken.filter(other => other === place).length > 1))
      return why.add('set.positions_taken')
    for (const tyre of tyres) (this.tyres[tyre] as Tyre).set = set
    return why
  }

  deleteTyres(caller: Caller, tyres: readonly number[]): Reasons {
    const why = new Set<string>()
    if (!this.#tyresThere(caller, tyres)) return why.add('record.missing')
    if (tyres.some(tyre => this.rules.refuses.delete.includes((this.tyres[tyre] as Tyre).status)))
      why.add('tyre.status_refused')
    if (tyres.some(tyre => this.openOf(tyre) !== null)) why.add('operation.tyres_busy')
    if (why.size === 0) for (const tyre of tyres) (this.tyres[tyre] as Tyre).removed = true
    return why
  }

  /** docs/product/vehicles.md "Vehicles". */
  removeVehicle(caller: Caller, vehicle: number): Reasons {
    const why = new Set<string>()
    if (!this.#vehicle(caller, vehicle)) return why.add('record.missing')
    const stock = this.tyres.some(tyre => tyre.vehicle === vehicle && !tyre.removed && tyre.status === 'in_stock')
    const open = this.operations.some(
      operation =>
        operation.vehicle === vehicle && (operation.status === 'pending' || operation.status === 'submitted'),
    )
    if (stock || open) return why.add('vehicle.in_use')
    ;(this.vehicles[vehicle] as { removed: boolean }).removed = true
    return why
  }
}
