/** Scrapped tyres, and who took them (docs/product/warehouse.md "Proof of disposal"). */
import type { z } from 'zod'
import { today } from '#domain/texts/date.ts'
import { scrapWeight } from '#domain/warehouse/disposal.ts'
import { Failure } from '#domain/failure.ts'
import type { pickupForm } from '#contract/disposals.ts'
import { Print } from '../../printing/pool.ts'
import type { Context, Handlers } from '../handler.ts'
import { customerOf } from '../customers/customers.ts'
import { proofJob } from './printed.ts'
import * as sql from './disposals.sql.ts'

/** The fields of a form, as parameters. @throws Failure `stock.date_ahead` for a day that has not begun */
function formOf({ input, site, now }: Pick<Context<z.output<typeof pickupForm>, 'anyone'>, 'input' | 'site' | 'now'>) {
  const last = today({ now, timeZone: site.timeZone })
  if (input.day > last) throw new Failure('stock.date_ahead', { last })
  return {
    day: input.day,
    formNumber: input.form_number,
    collector: input.collector,
    collectorNumber: input.collector_number,
    processor: input.processor,
    processorNumber: input.processor_number,
    treatment: input.treatment,
    weight: input.weight_kg,
  }
}

export const disposals: Handlers['disposals'] = {
  async waiting({ tx, site }) {
    const tyres = await tx.rows(sql.waitingTyres, { site: site.id })
    return tyres.map(({ id, customer, company, plate, position, set, description, rimmed, scrapped }) => ({
      db_id: id,
      seq_id: customer,
      companyname: company,
      license_plate: plate,
      position,
      tyre_set: set,
      description,
      scrapped,
      estimate_kg: scrapWeight({ description, rimmed }),
    }))
  },

  async record(context) {
    const form = formOf(context)
    const { input, tx, who, site, now, request } = context
    const wanted = [...new Set(input.tyres)]
    const tyres = await tx.rows(sql.lockTyresForPickup, { site: site.id, tyres: wanted })
    if (tyres.length < wanted.length) throw new Failure('record.missing')
    const { taken } = await tx.one(sql.takenAmong, { site: site.id, tyres: wanted })
    if (taken > 0 || !tyres.every(({ scrapped }) => scrapped)) throw new Failure('disposals.not_waiting')
    const { id } = await tx.one(sql.addPickup, {
      site: site.id,
      ...form,
      tyres: tyres.map(tyre => tyre.id),
      customers: tyres.map(tyre => tyre.customer),
      estimates: tyres.map(scrapWeight),
      actor: who.account,
      now,
    })
    request.notify('everyone')
    return { _id: id }
  },

  async edit(context) {
    const form = formOf(context)
    const { input, tx, who, site, now, request } = context
    const { id } = await tx.one(sql.editPickup, { site: site.id, pickup: input._id, ...form, actor: who.account, now })
    request.notify('everyone')
    return { _id: id }
  },

  async withdraw({ input, tx, who, site, now, request }) {
    const withdrawn = { site: site.id, pickup: input._id, reason: input.reason, actor: who.account, now }
    const { id } = await tx.one(sql.withdrawPickup, withdrawn)
    request.notify('everyone')
    return { _id: id }
  },

  list({ input, tx, who, site }) {
    const customer = customerOf(who, input.seq_id)
    const parameters = { site: site.id, from: input.startDate, until: input.endDate }
    return customer === null
      ? tx.single.json(sql.pickupsOfSite, parameters)
      : tx.single.json(sql.pickupsOfCustomer, { ...parameters, customer })
  },

  async proof({ input, tx, who, site, lang }) {
    const customer = customerOf(who, input.seq_id)
    // administrators print for the customer
    const reader = who.type === 'admin' && customer !== null ? null : lang
    return new Print(await proofJob(tx, { site: site.id, pickup: input._id, customer, lang: reader }))
  },
}
