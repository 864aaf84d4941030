/** The second step of a call: its body and path parameters, checked against the contract. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Failure } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { readInput } from '#contract/readInput.ts'
import { tooMuch } from '#contract/wire.ts'
import { digestOf } from './idempotency.ts'
import { boundJson } from './json.ts'
import { readForm } from './multipart.ts'

/** Reads the form of a call with files. Its sender decides how long that takes, so it has no turn yet. */
export async function readFiles(request: FastifyRequest, call: Call): Promise<void> {
  if (call.files.length > 0 && request.isMultipart()) request.body = await readForm(request, call.files)
}

/**
 * The input of a call. Decoding occupies the only thread, so it belongs into the caller's turn.
 * @throws Failure `request.invalid` with the fields, `request.too_much` with the limit, `request.too_complex`
 */
export function decode(request: FastifyRequest, call: Call): unknown {
  if (typeof request.body === 'string') request.body = parse(request, request.body)
  const { body } = request
  if (body !== undefined && body !== null && asRecord(body) !== body)
    throw new Failure('request.invalid', { fields: [] })
  const input = readInput(call.input, { ...asRecord(body), ...asRecord(request.params) })
  const parsed = call.input.safeParse(input)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const fields = [...new Set(issues.slice(0, 20).map(issue => issue.path.join('.').slice(0, 200)))]
  // a too long list or text has its own failure, unless something else is invalid too
  const limits = issues.map(issue => (isTooMuch(issue) ? Number(issue.maximum) : null))
  throw limits.every(limit => limit !== null)
    ? new Failure('request.too_much', { fields, most: Math.min(...limits) })
    : new Failure('request.invalid', { fields })
}

/** @throws Failure `request.too_complex` or `request.invalid` */
function parse(request: FastifyRequest, json: string): unknown {
  if (json === '') return undefined
  boundJson(json)
  let parsed: unknown
  request.server.getDefaultJsonParser('error', 'error')(request, json, (error, value) => {
    if (error) throw error
    parsed = value
  })
  return parsed
}

const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const isTooMuch = (issue: z.core.$ZodIssue): issue is z.core.$ZodIssueTooBig =>
  issue.code === 'too_big' && (issue.origin === 'array' || issue.message === tooMuch)

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The client's key of an idempotent call, `null` without one. @throws Failure `request.invalid` when it is no UUID */
export function idempotencyKey(request: FastifyRequest, call: string): { key: string; digest: Buffer } | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !uuid.test(key)) throw new Failure('request.invalid', { fields: ['Idempotency-Key'] })
  return { key, digest: digestOf(call, request.body) }
}

/** The id of the page that makes the call. It is not notified of its own changes. */
export function tabOf(request: FastifyRequest): string {
  const tab = request.headers['wheelhouse-tab']
  return typeof tab === 'string' && /^[\w-]{1,40}$/.test(tab) ? tab : ''
}

/** The device that makes the call, by the id it gave itself; `null` where it gave none. */
export function deviceOf(request: FastifyRequest): string | null {
  const device = request.headers['wheelhouse-device']
  return typeof device === 'string' && uuid.test(device) ? device : null
}

/** The user agent, at most 200 characters. */
export const agentOf = (request: FastifyRequest): string =>
  (request.headers['user-agent'] ?? '').slice(0, 200).toWellFormed()

/** The path of the page that makes the call; empty when the browser does not send it. */
export function pageOf(request: FastifyRequest): string {
  const { referer } = request.headers
  return referer && URL.canParse(referer) ? new URL(referer).pathname.slice(0, 200) : ''
}
