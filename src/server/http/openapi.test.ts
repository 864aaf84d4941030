import { Ajv2020 } from 'ajv/dist/2020.js'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { calls } from '#contract/index.ts'
import { failures, type FailureCode } from '#domain/failure.ts'
import { mountDocs, openApi } from './openapi.ts'
import { compiled, expectDescribed, responseOf } from '../testing/answers.ts'

const api = openApi()
type Operation = {
  operationId: string
  parameters: { name: string; in: string }[]
  security?: unknown[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, object>
}
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation: operation as unknown as Operation,
  })),
)

/** The rules of OpenAPI 3.1.0 for the objects that are used (sections 4.8.1 to 4.8.27 of the specification). */
const openApiRules = {
  $id: 'rules',
  $defs: {
    schema: { type: ['object', 'boolean'] },
    content: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z-]+/[a-z-]+$' },
      additionalProperties: {
        type: 'object',
        properties: { schema: { $ref: '#/$defs/schema' } },
        required: ['schema'],
        additionalProperties: false,
      },
    },
    reference: {
      type: 'object',
      properties: { $ref: { type: 'string', pattern: '^#/components/' } },
      required: ['$ref'],
      additionalProperties: false,
    },
    response: {
      type: 'object',
      properties: {
        description: { type: 'string', minLength: 1 },
        headers: { additionalProperties: { $ref: '#/$defs/header' } },
        content: { $ref: '#/$defs/content' },
      },
      required: ['description'],
      additionalProperties: false,
    },
    header: {
      type: 'object',
      properties: { description: { type: 'string', minLength: 1 }, schema: { $ref: '#/$defs/schema' } },
      required: ['schema'],
      additionalProperties: false,
    },
    parameter: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        in: { enum: ['path', 'query', 'header', 'cookie'] },
        description: { type: 'string' },
        required: { type: 'boolean' },
        schema: { $ref: '#/$defs/schema' },
      },
      required: ['name', 'in', 'schema'],
      if: { properties: { in: { const: 'path' } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { properties: { required: { const: true } }, required: ['required'] },
      additionalProperties: false,
    },
    security: { type: 'array', items: { type: 'object', additionalProperties: { type: 'array' } } },
    operation: {
      type: 'object',
      properties: {
        operationId: { type: 'string', pattern: '^[A-Za-z]+\\.[A-Za-z_]+$' },
        tags: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
        summary: { type: 'string', minLength: 10 },
        description: { type: 'string', minLength: 5 },
        security: { $ref: '#/$defs/security' },
        parameters: { type: 'array', items: { $ref: '#/$defs/parameter' } },
        requestBody: {
          type: 'object',
          properties: { required: { type: 'boolean' }, content: { $ref: '#/$defs/content' } },
          required: ['content'],
          additionalProperties: false,
        },
        responses: {
          type: 'object',
          required: ['200'],
          propertyNames: { pattern: '^[1-5]\\d\\d$' },
          additionalProperties: { oneOf: [{ $ref: '#/$defs/reference' }, { $ref: '#/$defs/response' }] },
        },
      },
      required: ['operationId', 'summary', 'responses'],
      additionalProperties: false,
    },
    named: { propertyNames: { pattern: '^[a-zA-Z0-9._-]+$' } },
  },
  type: 'object',
  properties: {
    openapi: { const: '3.1.0' },
    info: {
      type: 'object',
      properties: { title: { type: 'string' }, version: { type: 'string' }, description: { type: 'string' } },
      required: ['title', 'version'],
      additionalProperties: false,
    },
    servers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { url: { type: 'string' } },
        required: ['url'],
        additionalProperties: false,
      },
    },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
    security: { $ref: '#/$defs/security' },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        minProperties: 1,
        properties: { get: { $ref: '#/$defs/operation' }, post: { $ref: '#/$defs/operation' } },
        additionalProperties: false,
      },
    },
    components: {
      type: 'object',
      properties: {
        schemas: { allOf: [{ $ref: '#/$defs/named' }, { additionalProperties: { $ref: '#/$defs/schema' } }] },
        responses: { allOf: [{ $ref: '#/$defs/named' }, { additionalProperties: { $ref: '#/$defs/response' } }] },
        securitySchemes: {
          additionalProperties: {
            oneOf: [
              {
                type: 'object',
                properties: {
                  type: { const: 'apiKey' },
                  in: { enum: ['cookie', 'header', 'query'] },
                  name: { type: 'string' },
                  description: { type: 'string' },
                },
                required: ['type', 'in', 'name'],
                additionalProperties: false,
              },
              {
                type: 'object',
                properties: {
                  type: { const: 'http' },
                  scheme: { const: 'bearer' },
                  description: { type: 'string' },
                },
                required: ['type', 'scheme'],
                additionalProperties: false,
              },
            ],
          },
        },
      },
      additionalProperties: false,
    },
  },
  required: ['openapi', 'info', 'paths', 'components'],
  additionalProperties: false,
}
const obeysRules = new Ajv2020({ strict: false, allErrors: true }).compile(openApiRules)

test('the document is valid OpenAPI 3.1, and an invalid one is noticed', () => {
  obeysRules(api)
  expect(obeysRules.errors).toBeNull()
  const wrong = structuredClone(api) as unknown as Record<string, never>
  Object.assign((wrong.paths as never)['/gsc'], { fetch: {} })
  expect(obeysRules(wrong)).toBe(false)
  const unanswered = structuredClone(api)
  delete unanswered.paths['/gsc']?.get?.responses['200']
  expect(obeysRules(unanswered)).toBe(false)
})

test('every call is in it once, with its path parameters, failure codes and security', () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(calls.map(({ name }) => name).sort())
  for (const { name, call } of calls) {
    const documented = operations.find(({ operation }) => operation.operationId === name)
    expect([documented?.path, documented?.method], name).toEqual([call.path, call.method.toLowerCase()])
    const pieces = documented?.operation.parameters.filter(parameter => parameter.in === 'path').map(each => each.name)
    expect(pieces, name).toEqual([...call.path.matchAll(/\{(\w+)\}/g)].map(([, piece]) => piece))
    expect(documented?.operation.security, name).toEqual([
      ...(call.who === 'anyone' ? [{}] : []),
      { session: [] },
      ...(call.scope === null ? [] : [{ token: [call.scope] }]),
    ])
    expect(Object.keys(documented?.operation.requestBody?.content ?? {}).includes('multipart/form-data'), name).toBe(
      call.files.length > 0,
    )
    for (const code of call.failures)
      expect(JSON.stringify(responseOf(name, failures[code as FailureCode])), `${name} ${code}`).toContain(`"${code}"`)
  }
})

test('every schema is valid, and every reference has a target', () => {
  let schemas = 0
  for (const { operation } of operations) {
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      expect(() => compiled(schema), operation.operationId).not.toThrow()
      schemas++
    }
    for (const status of Object.keys(operation.responses)) {
      const schema = responseOf(operation.operationId, Number(status))
      expect(schema, `${operation.operationId} ${status}`).not.toBeNull()
      expect(() => compiled(schema ?? {}), `${operation.operationId} ${status}`).not.toThrow()
      schemas++
    }
  }
  expect(schemas).toBeGreaterThan(calls.length * 5)
  expect(() => compiled({ $ref: '#/components/schemas/Nothing' })).toThrow()
})

test('the schema of a call accepts the bodies that screens send, and refuses others', () => {
  const takes = (name: string, body: unknown): boolean => {
    const requestBody = operations.find(({ operation }) => operation.operationId === name)?.operation.requestBody
    return compiled(requestBody?.content['application/json']?.schema ?? { not: {} })(body) as boolean
  }
  expect(takes('fleet.vehicle', { flt_id: 7 })).toBe(true)
  expect(takes('fleet.vehicle', { flt_id: -7 })).toBe(false)
  expect(takes('fleet.vehicle', {})).toBe(false)
  expect(takes('users.authenticate', { username: 'a', password: 'b' })).toBe(true)
  expect(takes('locale.new', { language: 'eng', namespace: 'common', key: 'cancel', value: 'Stop' })).toBe(true)
  expect(takes('locale.new', { language: 'eng', namespace: 'common', key: 'cancel', value: '' })).toBe(false)
})

test('an answer that the document does not describe fails every test', () => {
  const refusal = { code: 'record.missing', message: 'x', params: {}, requestId: 'x' }
  expect(() => expectDescribed('fleet.vehicle', 404, JSON.stringify(refusal))).not.toThrow()
  expect(() => expectDescribed('fleet.vehicle', 404, JSON.stringify({ ...refusal, code: 'image.missing' }))).toThrow()
  expect(() => expectDescribed('fleet.vehicle', 200, '{}')).toThrow('does not match')
  expect(() => expectDescribed('fleet.vehicle', 418, '{}')).toThrow('does not describe')
})

test('the page and the document are served, without inline scripts and styles', async () => {
  const app = fastify()
  await mountDocs(app)
  const page = await app.inject({ url: '/docs' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.payload).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/)
  const sources = [...page.payload.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
  expect(sources.length).toBeGreaterThan(3)
  for (const url of sources) expect((await app.inject({ url })).statusCode, url).toBe(200)
  const document = await app.inject({ url: '/docs/json' })
  expect(document.json()).toEqual(JSON.parse(JSON.stringify(api)))
  await app.close()
})
