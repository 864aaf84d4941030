/** The whole database of a test as it is, and back to how it was: no table can be forgotten. */
import type { World } from './world.ts'

/** Every row of every table, by the name of the table. */
export type State = Readonly<Record<string, readonly Record<string, unknown>[]>>

export type Kept = {
  /** Puts every table and sequence back to how it was; the same rows made again then have the same numbers. */
  restore(): Promise<void>
  read(): Promise<State>
}

/** Keeps the database as it is now. Triggers and foreign keys sleep while it is put back, so the connection is a superuser's. */
export async function keep(at: World): Promise<Kept> {
  const tables = await at.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' group by c.relname order by c.relname`,
  )
  const sequences = await at.query<{ name: string; last: string | null }>(
    `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  )
  // a row for each statement, so that nobody waits for anybody; a rollback leaves none
  await at.query(`create schema kept; create unlogged table kept.written (name text);
    create function kept.note() returns trigger language plpgsql security definer as $$
      begin insert into kept.written values (tg_table_name); return null; end $$`)
  for (const { name } of tables)
    await at.query(`create table kept.${name} as table public.${name};
      create trigger kept after insert or update or delete or truncate on public.${name} for each statement execute function kept.note()`)
  // most calls write into few tables: putting back all takes ten times as long
  const back = [
    'set local session_replication_role = replica',
    'with known as (delete from kept.written returning name) select array_agg(distinct name) into written from known',
    ...tables.map(
      ({ name, columns }) => `if '${name}' = any(written) then delete from public.${name};
        insert into public.${name} (${columns}) overriding system value select ${columns} from kept.${name}; end if`,
    ),
    ...sequences.map(({ name, last }) => `perform setval('public.${name}', ${last ?? 1}, ${String(last !== null)})`),
  ]
  await at.query(
    `create function kept.restore() returns void language plpgsql as $$ declare written text[]; begin ${back.join('; ')}; end $$`,
  )
  const each = tables.map(
    ({ name }) =>
      `(select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') from ${name} t) as "${name}"`,
  )
  return {
    restore: async () => void (await at.query('select kept.restore()')),
    async read() {
      // with a name, or PostgreSQL would plan it anew each time
      const { rows } = await at.admin.query<State>({
        name: 'state',
        text: `select ${each.join(', ')}`,
      })
      return rows[0] ?? {}
    },
  }
}

/** Records of calls that change nothing: exports, and refused ones such as a wrong password for somebody's account. */
export const records = ['security_event', 'security_event_origin', 'sign_in_failure']

/**
 * Counts the statements that write into any table but records from now on, committed or not. Answers how many
 * there were. Triggers sleep while a kept state is put back: that is none of them.
 */
export async function countWrites(at: World): Promise<() => Promise<string>> {
  const tables = await at.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1)`,
    [records],
  )
  const triggers = tables.map(
    ({ name }) => `create trigger counted after insert or update or delete or truncate on public.${name}
      for each statement execute function counted.count()`,
  )
  await at.query(`create schema counted; create sequence counted.writes;
    create function counted.count() returns trigger language plpgsql security definer as $$
      begin perform nextval('counted.writes'); return null; end $$;
    ${triggers.join('; ')}`)
  const text = 'select last_value::text as writes from counted.writes'
  return async () => (await at.admin.query<{ writes: string }>({ name: 'writes', text })).rows[0]?.writes ?? ''
}

/** The tables in which two states differ, but for records of the calls themselves. */
export const differences = (before: State, other: State): string[] =>
  Object.keys(before).filter(
    table => !records.includes(table) && JSON.stringify(before[table]) !== JSON.stringify(other[table]),
  )
