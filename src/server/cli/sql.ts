/** `npm run manage -- sql`: SQL on the portal's database as the owner of its tables, which may only read unless it is told otherwise. */
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { UsageError, withOwner } from './command.ts'

export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  })
  const [typed, ...rest] = positionals
  if (rest.length > 0) throw new UsageError('A statement is one argument: npm run manage -- sql "select …"')
  const sql = typed ?? (process.stdin.isTTY ? '' : await text(process.stdin))
  if (sql.trim() === '') throw new UsageError('Type a statement, or pass it on standard input.')
  await withOwner(
    async client => {
      const results = await client.query(sql).catch((error: Error & { position?: string }) => {
        throw new UsageError(`${error.message}${error.position ? ` (at character ${error.position})` : ''}`, {
          cause: error,
        })
      })
      // several statements have several results
      for (const result of [results].flat()) {
        if (result.fields.length > 0) console.log(result.fields.map(({ name }) => name).join('\t'))
        for (const row of result.rows as Record<string, unknown>[]) console.log(Object.values(row).map(cell).join('\t'))
        console.error(`${result.command} ${result.rowCount ?? 0}`)
      }
    },
    { readOnly: !values.write },
  )
}

/** A value as one cell of a line. */
function cell(value: unknown): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll(/[\t\n\r]/g, ' ')
}
