/**
 * The functions of the database: one file each in `db/functions`, applied again when it changes (docs/decisions/0090). The first line of a
 * file is its version, which `npm run schema` raises. A node applies a version newer than the database's and leaves the rest alone, so a
 * node of the version before that starts during a rolling upgrade doesn't put its own functions back.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'
import { StartRefused } from '../postgres/startup.ts'

export const functionsDirectory = path.join(import.meta.dirname, '..', '..', '..', 'db', 'functions')

/** Migrations up to this one created functions themselves; later ones must not. */
export const lastMigrationWithFunctions = 142

export type DatabaseFunction = {
  readonly name: string
  readonly version: number
  /** Of the text below the version. */
  readonly digest: string
  readonly sql: string
}

const versionLine = /^-- version (\d+), ([0-9a-f]{12})\n/

/** A file's version, 0 where it has none yet, the digest beside it, and its text below. */
function parse(sql: string): { version: number; digest: string; text: string } {
  const [line = '', version = '0', digest = ''] = versionLine.exec(sql) ?? []
  return { version: Number(version), digest, text: sql.slice(line.length) }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** A function's file with the next version where its text was changed. */
export function stamped(sql: string): string {
  const { version, digest, text } = parse(sql)
  return digest === digestOf(text) ? sql : `-- version ${version + 1}, ${digestOf(text)}\n${text}`
}

/** The functions in the files of a directory, by name. @throws StartRefused when a file was changed without a new version */
export function shippedFunctions(directory = functionsDirectory): DatabaseFunction[] {
  return fs
    .readdirSync(directory)
    .filter(file => file.endsWith('.sql'))
    .sort()
    .map(file => {
      const sql = fs.readFileSync(path.join(directory, file), 'utf8').replaceAll('\r\n', '\n')
      const { version, digest, text } = parse(sql)
      if (digest !== digestOf(text))
        throw new StartRefused(`db/functions/${file} was changed without a new version. Run: npm run schema`)
      const names = [...text.matchAll(/^create or replace function (\w+)/gm)].map(([, name]) => `${name}.sql`)
      if (names.join() !== file)
        throw new StartRefused(`db/functions/${file} has to create one function, which is named like the file.`)
      return { name: path.basename(file, '.sql'), version, digest, sql }
    })
}

/**
 * Creates the functions that the database lacks: migrations refer to them in triggers. Their bodies are not checked yet, since they may
 * use what those migrations add.
 */
export async function createMissingFunctions(client: Client, functions: readonly DatabaseFunction[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  const present = new Set(rows.map(({ name }) => name))
  await client.query('set local check_function_bodies = off')
  for (const each of functions) if (!present.has(each.name)) await create(client, each)
  await client.query('set local check_function_bodies = on')
}

/**
 * Applies the functions that are newer than those in the database, and notes their versions in `migration.function`.
 * @throws StartRefused for a function of the same version and another text, and for a changed one that others depend on as it was
 */
export async function applyFunctions(client: Client, functions: readonly DatabaseFunction[]): Promise<void> {
  await client.query(
    `create table if not exists migration.function (name text primary key, version int not null, digest text not null)`,
  )
  const { rows } = await client.query<{ name: string; version: number; digest: string }>(
    'select name, version, digest from migration.function',
  )
  const applied = new Map(rows.map(row => [row.name, row]))
  const other = functions.find(({ name, version, digest }) => {
    const present = applied.get(name)
    return present?.version === version && present.digest !== digest
  })
  if (other)
    throw new StartRefused(
      `The database has another version ${other.version} of db/functions/${other.name}.sql. Raise the version in its first line.`,
    )
  const newer = functions.filter(({ name, version }) => version > (applied.get(name)?.version ?? 0))
  if (newer.length === 0) return
  await replace(client, newer)
  await client.query(
    `insert into migration.function (name, version, digest) select * from json_to_recordset($1) as f (name text, version int, digest text)
     on conflict (name) do update set version = excluded.version, digest = excluded.digest`,
    [JSON.stringify(newer)],
  )
}

/** A function of the database, and whether columns, indexes or constraints hold what it computed. */
type Present = { readonly signature: string; readonly definition: string; readonly stored: boolean }

/**
 * Replaces functions. Nodes of the version before call them as they were, and stored values were computed by their former bodies: both
 * need a function of another name. The locks of the migrations are held meanwhile, so all are compared at once.
 */
async function replace(client: Client, functions: readonly DatabaseFunction[]): Promise<void> {
  const before = await presentFunctions(client)
  for (const each of functions)
    try {
      await create(client, each)
    } catch (error) {
      const [former] = before.get(each.name) ?? []
      // "cannot change return type of existing function" and its like
      if (former && error instanceof Error && (error.cause as { code?: string }).code === '42P13')
        throw otherSignature(each.name, former, error)
      throw error
    }
  const after = await presentFunctions(client)
  for (const { name } of functions) {
    const [former] = before.get(name) ?? []
    const [now, overloaded] = after.get(name) ?? []
    if (!former) continue
    if (overloaded || now?.signature !== former.signature) throw otherSignature(name, former)
    if (former.stored && now.definition !== former.definition)
      throw new StartRefused(
        `db/functions/${name}.sql changes what ${name} computes, and the database stores values that it computed. Give the new function another name, and have a migration compute them again.`,
      )
  }
}

const otherSignature = (name: string, { signature }: Present, cause?: unknown): StartRefused =>
  new StartRefused(
    `db/functions/${name}.sql changes what ${signature} takes or returns, and nodes of the version before call it as it is. Give the new function another name.`,
    { cause },
  )

async function presentFunctions(client: Client): Promise<Map<string, Present[]>> {
  const { rows } = await client.query<Present & { name: string }>(
    `select p.proname as name, p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid) as signature,
       pg_get_functiondef(p.oid) as definition,
       exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
         and d.classid in ('pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass)) as stored
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' order by p.oid`,
  )
  return Map.groupBy(rows, ({ name }) => name)
}

async function create(client: Client, { name, sql }: DatabaseFunction): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    const { message, position } = error as Error & { position?: string }
    const line = position ? ` in line ${sql.slice(0, Number(position)).split('\n').length}` : ''
    throw new Error(`db/functions/${name}.sql failed${line}: ${message}. The database was not changed.`, {
      cause: error,
    })
  }
}
