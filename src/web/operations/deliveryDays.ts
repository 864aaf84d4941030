/** The questions and choices of the delivery fields of a recall or a storage. */
import type { Operation, TransportMethod } from '#contract/wire.ts'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { offersArrival } from '#domain/operations/operation.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import {
  deliveryDayRefusal,
  firstDeliveryDate,
  lastDeliveryDate,
  type MomentAtSite,
  type TransportRules,
} from '#domain/operations/delivery.ts'

/** The transport of a recall. There is no default: the person who submits it chooses. */
export const transportOf = <T extends Pick<TransportMethod, '_id'>>(
  operation: Pick<Operation, 'transport'>,
  methods: readonly T[],
): T | undefined => methods.find(method => method._id === operation.transport)

/** The first days, at most `count`, on which this transport can still deliver; none when it never does. */
export function nextDays(
  rules: TransportRules,
  booked: readonly IsoDate[],
  at: MomentAtSite,
  count: number,
): IsoDate[] {
  const first = firstDeliveryDate(rules, at)
  const last = lastDeliveryDate(at)
  const days: IsoDate[] = []
  for (let day = first; day !== null && day <= last && days.length < count; day = addDays(day, 1))
    if (deliveryDayRefusal(day, rules, booked, at) === null) days.push(day)
  return days
}

/** The text key for an operation's day: it is delivered then, or it arrives. */
export const dayText = (type: OperationType) =>
  offersArrival(type) ? ('operations:arrivalOn' as const) : ('operations:deliveryOn' as const)

/** The way a service or transport is called in a language: its description, or its name where that was left empty. */
export function describedIn(
  language: string,
  thing: { name: string } & Record<`description_${'nl' | 'fr' | 'en' | 'de'}`, string>,
): string {
  const described = {
    nl: thing.description_nl,
    fr: thing.description_fr,
    en: thing.description_en,
    de: thing.description_de,
  }
  return described[language as keyof typeof described] || thing.name
}
