/** The contract as an OpenAPI 3.1 document, and the page at `/docs` to read and try it. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { tokenScopes } from '#domain/people/token.ts'
import { failureCodes, failures, type FailureCode } from '#domain/failure.ts'
import { type Call, unusedHeader } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import * as wire from '#contract/wire.ts'

type Schema = { [key: string]: unknown }

/** Schemas that the document has once, under a name. */
const namedSchemas = {
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
for (const [id, schema] of Object.entries(namedSchemas)) names.add(schema, { id })

const schemaReference = '#/components/schemas/'

/**
 * A schema as JSON Schema: of values on the wire, before a handler or the browser decodes them. Adds the named schemas that it
 * uses to `components`.
 */
function jsonSchemaOf(schema: z.ZodType, components: Record<string, Schema>): Schema {
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
      // JSON Schema has no such format: `contentEncoding` says it
      if (jsonSchema.format === 'base64') delete jsonSchema.format
      if (zodSchema._zod.def.type !== 'pipe') return
      // the limits of a trimmed text are behind its transform; clients have to know them
      const { out } = zodSchema._zod.def as unknown as { out: z.ZodType }
      if (out._zod.def.type !== 'string' || jsonSchema.type !== 'string') return
      const { minLength, maxLength } = z.toJSONSchema(out, { io: 'input', unrepresentable: 'any' })
      if (minLength !== undefined) jsonSchema.minLength = minLength
      if (maxLength !== undefined) jsonSchema.maxLength = maxLength
    },
  }) as Schema & { $defs?: Record<string, Schema> }
  for (const [name, definition] of Object.entries($defs ?? {}))
    components[name] ??= withReferences(Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id')))
  // a named schema is in the components, and only referred to here
  const name = names.get(schema)?.id
  if (name === undefined) return withReferences(own)
  components[name] ??= withReferences(own)
  return { $ref: schemaReference + name }
}

/** The schema with references to the document's components in place of its own definitions. */
function withReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${schemaReference}`)) as Schema
}

/** The failures that any call of this kind can have, besides its own. */
export function commonFailures(call: Call): readonly FailureCode[] {
  const codes: FailureCode[] = [
    'request.invalid',
    'request.too_much',
    'request.too_many',
    'server.unexpected',
    'server.unavailable',
    'server.busy',
  ]
  if (call.method === 'POST')
    codes.push(
      'request.too_large',
      'request.too_complex',
      'request.wrong_type',
      'request.foreign_origin',
      'request.untrusted_proxy',
      'request.host_lost',
      'site.unknown',
    )
  if (call.idempotent) codes.push('request.key_reused')
  codes.push('token.invalid', call.scope === null ? 'token.closed' : 'token.scope')
  if (call.who !== 'anyone')
    codes.push('session.missing', 'session.other_account', 'session.forbidden', 'site.unknown', 'site.mode')
  return codes
}

const meanings: Record<number, string> = {
  400: 'The request is invalid.',
  401: 'Not signed in, or wrong credentials.',
  403: 'The account, the site’s mode or the origin does not allow this call.',
  404: 'Not found, or it belongs to somebody else.',
  409: 'The current state does not allow this.',
  413: 'The request is too large.',
  415: 'The content type is not supported.',
  422: 'The request has more items or characters than one call accepts, or is nested too deeply.',
  429: 'Too many requests. `retry-after` has the seconds to wait.',
  500: 'An unexpected error of the server. The log has it under `requestId`.',
  503: 'The database is not available.',
}

/** Whether a call refuses an empty body, apart from the parameters of its path. */
const needsBody = (call: Call, pathParameters: readonly string[]): boolean =>
  call.input.safeParse({}).error?.issues.some(({ path: [field] }) => !pathParameters.includes(String(field))) ?? false

/** The refusals of a call by status. Those without a failure of its own are among the shared responses. */
function refusals(call: Call, responses: Record<string, Schema>): Schema {
  const common = commonFailures(call)
  const codes = failureCodes.filter(code => common.includes(code) || call.failures.includes(code))
  const byStatus = [...Map.groupBy(codes, code => failures[code])].map(([status, ofStatus]): [number, Schema] => {
    const response = {
      description: meanings[status] ?? 'Refused.',
      content: {
        'application/json': {
          schema: { allOf: [{ $ref: `${schemaReference}Refusal` }, { properties: { code: { enum: ofStatus } } }] },
        },
      },
    }
    if (ofStatus.some(code => !common.includes(code))) return [status, response]
    const name = ofStatus.join('-')
    responses[name] = response
    return [status, { $ref: `#/components/responses/${name}` }]
  })
  return Object.fromEntries(byStatus)
}

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** The schema without these properties. */
function without(schema: Schema, names: readonly string[]): Schema {
  const { properties, required, ...rest } = schema as Schema & { properties?: Schema; required?: string[] }
  if (!properties || names.length === 0) return schema
  const left = required?.filter(name => !names.includes(name)) ?? []
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(left.length > 0 && { required: left }),
  }
}

/** The ways to show who makes the call; any of them is enough. */
function securityOf({ who, scope }: Call): Schema[] {
  const nobody = who === 'anyone' ? [{}] : []
  const token = scope === null ? [] : [{ token: [scope] }]
  return [...nobody, { session: [] }, ...token]
}

function operationOf(operationId: string, call: Call, { schemas, responses }: Components): Schema {
  const pathParameters = parametersOf(call.path)
  const input = jsonSchemaOf(call.input, schemas) as Schema & { properties?: Record<string, Schema> }
  const body = without(input, pathParameters)
  const takesBody = call.method === 'POST' && (body.type !== undefined || '$ref' in body || 'anyOf' in body)
  const who = call.who === 'anyone' ? 'No session is needed.' : `Roles: ${call.who.join(', ')}.`
  const modes = call.modes.length < 3 ? ` Only in the modes ${call.modes.join(' and ')}.` : ''
  const [tag = ''] = operationId.split('.')
  return {
    operationId,
    tags: [tag],
    summary: call.summary,
    description: `${who}${modes} ${call.scope === null ? 'Closed to access tokens.' : `Scope of an access token: \`${call.scope}\`.`}`,
    security: securityOf(call),
    parameters: [
      ...pathParameters.map(name => ({ name, in: 'path', required: true, schema: input.properties?.[name] ?? {} })),
      ...(call.idempotent
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              description:
                'A UUID that the client chooses for this call. A repeated call with the same key is not run again; it gets the first answer.',
              schema: { type: 'string', format: 'uuid' },
            },
          ]
        : []),
    ],
    ...(takesBody && {
      requestBody: {
        required: needsBody(call, pathParameters),
        content: {
          ...(call.files.length > 0 && { 'multipart/form-data': { schema: body } }),
          'application/json': { schema: call.files.length > 0 ? without(body, call.files) : body },
        },
      },
    }),
    responses: {
      200: {
        description: 'The answer.',
        ...(call.unused && { headers: { [unusedHeader]: { description: call.unused, schema: { type: 'string' } } } }),
        content: { 'application/json': { schema: jsonSchemaOf(call.output, schemas) } },
      },
      ...refusals(call, responses),
    },
  }
}

const introduction = `The calls of the portal. A program shows an access token with every call: \`Authorization: Bearer …\`. People make tokens in the portal, under My account, and administrators in the configuration of the site. A browser has a session, by a cookie, instead. To try calls out here, press Authorize and paste a token.

Vehicles, tyres, vehicle configurations, customers, articles and documents have every field as a one-item list; requests may have any value plain or as a one-item list, and numbers as text. Where the body is one object under a name (\`{ "operation": { … } }\`), the object is also accepted without the name.

A refusal is \`{ code, message, params, requestId }\`, with the message in the language of the account. With a cookie, calls that write are accepted from the portal's own pages, and from clients that send no \`Origin\`; with an access token from anywhere.`

type Components = { schemas: Record<string, Schema>; responses: Record<string, Schema> }
export type OpenApi = {
  openapi: string
  info: Schema
  paths: Record<string, Record<string, Schema & { responses: Record<string, Schema>; operationId: string }>>
  components: Components & { securitySchemes: Schema }
} & Schema

/** The document, with every call of the contract and the codes of its failures. Its calls are described when they are first read. */
export function openApi(): OpenApi {
  let described: Pick<OpenApi, 'paths' | 'components'> | undefined
  const describe = () => (described ??= describeCalls())
  return {
    openapi: '3.1.0',
    info: { title: 'Wheelhouse', version: '1', description: introduction },
    servers: [{ url: '/' }],
    tags: [...new Set(calls.map(({ name }) => name.split('.')[0]))].map(name => ({ name })),
    security: [{ session: [] }],
    get paths() {
      return describe().paths
    },
    get components() {
      return describe().components
    },
  }
}

function describeCalls(): Pick<OpenApi, 'paths' | 'components'> {
  const schemas: Record<string, Schema> = {
    Refusal: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: failureCodes },
        message: { type: 'string', description: 'The failure in the language of the account.' },
        params: {
          type: 'object',
          description: 'The facts of the failure, by name.',
          additionalProperties: {
            anyOf: [{ type: ['string', 'number'] }, { type: 'array', items: { type: ['string', 'number'] } }],
          },
        },
        requestId: { type: 'string', description: 'The id of the request in the log.' },
      },
      required: ['code', 'message', 'params', 'requestId'],
    },
  }
  const components: Components = { schemas, responses: {} }
  const paths: OpenApi['paths'] = {}
  for (const { name, call } of calls)
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operationOf(name, call, components) as never
  return {
    paths,
    components: {
      ...components,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: `An access token. Its scopes say which calls it opens: ${tokenScopes.join(', ')}.`,
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'wheelhouse',
          description: 'Set by `/users/authenticate`. Over https its name is `__Host-wheelhouse`.',
        },
      },
    },
  }
}

/** Serves the document at `/docs/json` and `/docs/yaml`, each made once, when it is first asked for, and a page to read and try it at `/docs`. */
export async function mountDocs(app: FastifyInstance): Promise<void> {
  // bytes: a text would be encoded for every answer
  const documents = new Map<string, Buffer>()
  const madeOnce = (url: string, make: () => string): Buffer => {
    const bytes = documents.get(url) ?? Buffer.from(make())
    documents.set(url, bytes)
    return bytes
  }
  await app.register(swagger, { mode: 'static', specification: { document: openApi() as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'none', filter: true, tryItOutEnabled: false, layout: 'BaseLayout' },
    theme: { title: 'Wheelhouse API' },
    uiHooks: {
      async preHandler(request, reply) {
        const { url = '' } = request.routeOptions
        if (url === '/docs/json')
          await reply.type('application/json; charset=utf-8').send(madeOnce(url, () => JSON.stringify(app.swagger())))
        if (url === '/docs/yaml')
          await reply.type('application/x-yaml').send(madeOnce(url, () => app.swagger({ yaml: true })))
      },
    },
  })
}
