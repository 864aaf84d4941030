/** The contract as an OpenAPI 3.1 document (DESIGN §3), and the page at `/docs` where people read it and try it out. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { failureCodes, failures, type FailureCode } from '#domain/failure.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import * as wire from '#contract/wire.ts'

type Schema = { [key: string]: unknown }

/** What stands in the document once, under a name. */
const named = {
  Article: wire.article,
  Branding: wire.branding,
  Customer: wire.customer,
  Document: wire.document,
  LabelReport: wire.labelReport,
  Operation: wire.operation,
  OperationTyre: wire.operationTyre,
  Service: wire.service,
  SiteConfig: wire.siteConfig,
  TransportMethod: wire.transportMethod,
  Tyre: wire.tyre,
  Vehicle: wire.vehicle,
  VehicleConfig: wire.vehicleConfig,
} satisfies Record<string, z.ZodType>

const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(named)) names.add(schema, { id })

const shared = '#/components/schemas/'

/**
 * What travels under a schema, as JSON Schema: both what is asked and what is answered is described as it is on the wire,
 * before the browser or a handler decodes it. Named schemas that it uses are put into `components`.
 */
function described(schema: z.ZodType, components: Record<string, Schema>): Schema {
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: names,
    override({ zodSchema, jsonSchema }) {
      delete jsonSchema.id
      if (zodSchema === wire.upload) Object.assign(jsonSchema, { type: 'string', format: 'binary' })
      if (zodSchema._zod.def.type !== 'pipe') return
      // a text that is trimmed has its limits after that; who asks has to know them
      const { out } = zodSchema._zod.def as unknown as { out: z.ZodType }
      if (out._zod.def.type !== 'string' || jsonSchema.type !== 'string') return
      const { minLength, maxLength } = z.toJSONSchema(out, { io: 'input', unrepresentable: 'any' })
      if (minLength !== undefined) jsonSchema.minLength = minLength
      if (maxLength !== undefined) jsonSchema.maxLength = maxLength
    },
  }) as Schema & { $defs?: Record<string, Schema> }
  for (const [name, definition] of Object.entries($defs ?? {}))
    components[name] ??= referring(Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id')))
  // a schema that is named itself is described under its name, and only meant here
  const name = names.get(schema)?.id
  if (name === undefined) return referring(own)
  components[name] ??= referring(own)
  return { $ref: shared + name }
}

/** With the definitions of the schema where the document has them. */
function referring(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${shared}`)) as Schema
}

/** The failures of every call of this kind (serve.ts). */
export function commonFailures(call: Call): readonly FailureCode[] {
  const some: FailureCode[] = [
    'request.invalid',
    'request.too_much',
    'request.too_many',
    'server.unexpected',
    'server.unavailable',
  ]
  if (call.method === 'POST')
    some.push('request.too_large', 'request.wrong_type', 'request.foreign_origin', 'site.unknown')
  if (call.idempotent) some.push('request.key_reused')
  if (call.who !== 'anyone') some.push('session.missing', 'session.forbidden', 'site.unknown', 'site.mode')
  return some
}

const meanings: Record<number, string> = {
  400: 'What was sent is not valid.',
  401: 'Nobody is signed in, or not with these words.',
  403: 'This account, site or page may not do this.',
  404: 'This does not exist, or is somebody else’s.',
  409: 'The state of things does not allow it.',
  413: 'Too large.',
  415: 'A kind of content that is not accepted.',
  422: 'More than is taken at once.',
  429: 'Too often. `retry-after` says how many seconds to wait.',
  500: 'Something went wrong in the server; the log has it under `requestId`.',
  503: 'The database does not answer at the moment.',
}

/** How a call refuses, by status. What many calls refuse with alike stands among the shared responses. */
function refusals(call: Call, responses: Record<string, Schema>): Schema {
  const common = commonFailures(call)
  const codes = failureCodes.filter(code => common.includes(code) || call.failures.includes(code))
  const refused = [...Map.groupBy(codes, code => failures[code])].map(([status, its]): [number, Schema] => {
    const response = {
      description: meanings[status] ?? 'Refused.',
      content: {
        'application/json': {
          schema: { allOf: [{ $ref: `${shared}Refusal` }, { properties: { code: { enum: its } } }] },
        },
      },
    }
    if (its.some(code => !common.includes(code))) return [status, response]
    const name = its.join('-')
    responses[name] = response
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  return Object.fromEntries(refused)
}

const piecesOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function without(schema: Schema, pieces: readonly string[]): Schema {
  const { properties, required, ...rest } = schema as Schema & { properties?: Schema; required?: string[] }
  if (!properties || pieces.length === 0) return schema
  const left = required?.filter(name => !pieces.includes(name)) ?? []
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !pieces.includes(name))),
    ...(left.length > 0 && { required: left }),
  }
}

function operationOf(name: string, call: Call, { schemas, responses }: Components): Schema {
  const pieces = piecesOf(call.path)
  const input = described(call.input, schemas) as Schema & { properties?: Record<string, Schema> }
  const body = without(input, pieces)
  const takesBody = call.method === 'POST' && (body.type !== undefined || '$ref' in body || 'anyOf' in body)
  const who = call.who === 'anyone' ? 'Anybody, signed in or not.' : `For: ${call.who.join(', ')}.`
  const modes = call.modes.length < 3 ? ` In the modes ${call.modes.join(' and ')} only.` : ''
  const [tag = ''] = name.split('.')
  return {
    operationId: name,
    tags: [tag],
    summary: call.summary,
    description: `${who}${modes}`,
    ...(call.who === 'anyone' ? { security: [] } : {}),
    parameters: [
      ...pieces.map(piece => ({ name: piece, in: 'path', required: true, schema: input.properties?.[piece] ?? {} })),
      ...(call.idempotent
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              description:
                'An id of the client’s for this intention: sent again under the same key, the call is not done again and its first answer is given.',
              schema: { type: 'string', format: 'uuid' },
            },
          ]
        : []),
    ],
    ...(takesBody && {
      requestBody: {
        required: ((body as { required?: string[] }).required ?? []).length > 0,
        content: {
          ...(call.files.length > 0 && { 'multipart/form-data': { schema: body } }),
          'application/json': { schema: call.files.length > 0 ? without(body, call.files) : body },
        },
      },
    }),
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: described(call.output, schemas) } },
      },
      ...refusals(call, responses),
    },
  }
}

const says = `The calls of the portal. Cookies are sent with every call; the session is held by the server.

Vehicles, tyres, vehicle configurations, customers, articles and documents travel with every field as a one-item list; what is sent may be plain, too. Where the body is one object under a name (\`{ "operation": { … } }\`), that object is also taken without it.

A refusal is \`{ code, message, params, requestId }\`, its message in the language of the account. Writes are taken from the portal's own pages, and from programs that send no \`Origin\`.`

type Components = { schemas: Record<string, Schema>; responses: Record<string, Schema> }
export type OpenApi = {
  openapi: string
  info: Schema
  paths: Record<string, Record<string, Schema & { responses: Record<string, Schema>; operationId: string }>>
  components: Components & { securitySchemes: Schema }
} & Schema

/** Every call of the contract. Where a call refuses, the codes that it refuses with are named. */
export function openApi(): OpenApi {
  const schemas: Record<string, Schema> = {
    Refusal: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: failureCodes },
        message: { type: 'string', description: 'The text of the code in the language of the account.' },
        params: {
          type: 'object',
          description: 'The facts of the refusal, by name.',
          additionalProperties: {
            anyOf: [{ type: ['string', 'number'] }, { type: 'array', items: { type: ['string', 'number'] } }],
          },
        },
        requestId: { type: 'string', description: 'Under which the log has the request.' },
      },
      required: ['code', 'message', 'params', 'requestId'],
    },
  }
  const components: Components = { schemas, responses: {} }
  const paths: OpenApi['paths'] = {}
  for (const { name, call } of calls)
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operationOf(name, call, components) as never
  return {
    openapi: '3.1.0',
    info: { title: 'Wheelhouse', version: '1', description: says },
    servers: [{ url: '/' }],
    tags: [...new Set(calls.map(({ name }) => name.split('.')[0]))].map(name => ({ name })),
    security: [{ session: [] }],
    paths,
    components: {
      ...components,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'wheelhouse',
          description: 'Given by `/users/authenticate`; over https it is called `__Host-wheelhouse`.',
        },
      },
    },
  }
}

/** Serves the document at `/docs/json` and `/docs/yaml`, and a page to read and try it at `/docs`. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: openApi() as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'none', filter: true, tryItOutEnabled: false, layout: 'BaseLayout' },
    theme: { title: 'Wheelhouse API' },
  })
}
