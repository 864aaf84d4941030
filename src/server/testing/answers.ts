/** Every answer that a test gets is held against the OpenAPI document: what it says of a call is what the call does. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { calls } from '#contract/index.ts'
import { openApi } from '../http/openapi.ts'

const api = openApi()
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false })
formats.default(ajv)
ajv.addKeyword('components')
ajv.addSchema({ $id: 'api', components: api.components })

const absolute = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part).replaceAll('"#/components/', '"api#/components/')) as T

const validators = new Map<string, ValidateFunction>()
/** The check of a schema that stands somewhere in the document; it throws where the schema itself is none. */
export function compiled(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const check = validators.get(text) ?? ajv.compile(absolute(schema))
  validators.set(text, check)
  return check
}

const routes = calls.map(({ name, call }) => ({
  name,
  call,
  path: new RegExp(`^${call.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

type Response = { $ref?: string; content?: { 'application/json': { schema: object } } }

/** The document's schema of a call's answers, by status. */
export function responseOf(name: string, status: number): object | null {
  const call = calls.find(entry => entry.name === name)?.call
  const documented =
    call && (api.paths[call.path]?.[call.method.toLowerCase()]?.responses[status] as Response | undefined)
  const response = documented?.$ref
    ? (api.components.responses[documented.$ref.split('/').at(-1) ?? ''] as Response)
    : documented
  return response?.content?.['application/json'].schema ?? null
}

const checks = new Map<string, ValidateFunction>()
/** The calls that succeeded. */
export const answered = new Set<string>()

/** Throws when a call answers what the document does not say. */
export function expectDescribed(name: string, status: number, text: string): void {
  const key = `${name} ${status}`
  let check = checks.get(key)
  if (!check) {
    const schema = responseOf(name, status)
    if (!schema)
      throw new Error(`the OpenAPI document does not describe ${key}, which was answered ${text.slice(0, 300)}`)
    check = compiled(schema)
    checks.set(key, check)
  }
  if (!check(JSON.parse(text)))
    throw new Error(`the answer of ${key} does not match the OpenAPI document: ${ajv.errorsText(check.errors)}`)
  if (status === 200) answered.add(name)
}

/** Holds all that this server answers to a test against the document. */
export function watchAnswers(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (asked: Asked) => Promise<Answered>
  app.inject = (async (options: Asked) => {
    const reply = await inject(options)
    const { method = 'GET', url = options } = typeof options === 'string' ? {} : options
    const path = String(url).replace(/[?#].*/, '')
    const route = routes.find(candidate => candidate.call.method === method && candidate.path.test(path))
    // an address that only looks like that of a call
    const elsewhere = reply.statusCode === 404 && reply.payload.includes('"request.route_missing"')
    if (route && reply.statusCode !== 304 && !elsewhere) expectDescribed(route.name, reply.statusCode, reply.payload)
    return reply
  }) as FastifyInstance['inject']
}

type Asked = string | { method?: string; url?: unknown }
type Answered = { statusCode: number; payload: string }
