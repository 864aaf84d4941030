/**
 * `npm run client`: writes `calls.ts`, the inputs and answers of the calls that an access token opens, from the contract. The file is
 * not kept: the static checks and the packing of the package make it.
 */
import { writeFileSync } from 'node:fs'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { openApi } from '../src/server/http/openapi.ts'

type Schema = { [key: string]: unknown }
type Operation = {
  security: Schema[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content: Record<string, { schema: Schema }> }>
}

const json = 'application/json'
/** The library's comment above a list of one item, which the type says, too. */
const lengths = / *\/\*\*\n *\* @minItems 1\n *\* @maxItems 1\n *\*\/\n/g

/** The types of the calls. */
export async function clientTypes(): Promise<string> {
  const { paths, components } = openApi()
  const calls: Record<string, Schema> = {}
  for (const [path, { post }] of Object.entries(paths) as [string, { post?: Operation }][]) {
    if (!post || path.includes('{') || !post.security.some(way => 'token' in way)) continue
    calls[path] = objectOf({
      input: post.requestBody?.content[json]?.schema ?? { type: 'object', additionalProperties: false },
      answer: post.responses['200']?.content[json]?.schema ?? {},
    })
  }
  const types = await compile(plain({ ...objectOf(calls), title: 'Calls', components }) as JSONSchema, 'Calls', {
    bannerComment: '',
    additionalProperties: false,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
  return `/** Made from the contract by \`npm run client\`. */\n${types.replaceAll(lengths, '')}`
}

const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
})

const limits = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'])

/** Limits of numbers, texts and lists are no types; a list of given items is written as before JSON Schema 2020-12. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('prefixItems' in schema) {
    const items = plain(schema.prefixItems) as unknown[]
    return { type: 'array', items, minItems: items.length, maxItems: items.length, additionalItems: false }
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !limits.has(key) || typeof value === 'object')
      .map(([key, value]) => [key, plain(value)]),
  )
}

if (import.meta.main) writeFileSync(new URL('calls.ts', import.meta.url), await clientTypes())
