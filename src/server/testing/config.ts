/** Saving a site's configuration and sending forms, as a browser does. */
import sharp from 'sharp'
import { expect } from 'vitest'
import { hotelconfig, type AdminConfig } from '#contract/config.ts'
import type { Principal, Reply, World } from './world.ts'

type Change = Record<string, unknown>
export type FormParts = readonly (readonly [name: string, value: string | Uint8Array, file?: string])[]

const descriptions = { description_nl: 'nl', description_fr: 'fr', description_en: 'en', description_de: 'de' }

export const van = {
  name: 'Own van',
  code: 'VAN',
  default: false,
  ...descriptions,
  operationDays: [1, 2, 3, 4, 5],
  advanceDays: 1,
  cutoffHour: '15:00',
  operationsPerDay: 8,
  tyresPerDay: 40,
}

export const washing = {
  icon: 'wash',
  name: 'Washing',
  operation_type: 'to_stock',
  article_number: '90200',
  article_insertion_method: 'per_tyre',
  preselected: false,
  blocked: false,
  ...descriptions,
  price_excl: 2.55,
}

export const makeLogo = (): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 90, channels: 3, background: '#c00' } })
    .png()
    .toBuffer()

/** The configuration as it is read for editing. */
export async function readWhole(at: World, who: Principal = at.who.admin, id?: number): Promise<AdminConfig> {
  const { answer, text } = await at.ask(hotelconfig.adminconfig, who, id === undefined ? {} : { id })
  expect(text).toContain('"version"')
  return answer
}

/** Saves the configuration with a change. */
export const saveChange = async (
  at: World,
  change: Change,
  who: Principal = at.who.admin,
  id?: number,
): Promise<Reply<unknown>> => at.send('/hotelconfig/edit', who, { ...(await readWhole(at, who, id)), ...change })

/** Sends a multipart form. */
export async function sendForm(
  at: World,
  path: string,
  who: Principal,
  parts: FormParts,
  headers: Record<string, string> = {},
): Promise<Reply<unknown>> {
  const data = new FormData()
  for (const [name, value, file] of parts)
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), file ?? 'logo.png')
  const encoded = new Response(data)
  const reply = await at.app.inject({
    method: 'POST',
    url: path,
    headers: {
      host: who.host,
      ...(who.cookie ? { cookie: who.cookie } : {}),
      ...(who.token ? { authorization: `Bearer ${who.token}` } : {}),
      'content-type': encoded.headers.get('content-type') ?? '',
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  const answer = JSON.parse(reply.payload || 'null')
  return { status: reply.statusCode, headers: reply.headers, text: reply.payload, answer, refusal: answer }
}

/** The newest entry of the audit, `{}` when there is none. */
export const lastAudit = async (at: World): Promise<Record<string, unknown>> =>
  (await at.query('select site_id, account_id, action, subject, facts from audit order by id desc limit 1'))[0] ?? {}
