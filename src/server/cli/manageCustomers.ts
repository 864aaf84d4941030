/** `npm run manage -- customers`: the ids of customers, which accounts and imports name. */
import { parseArgs } from 'node:util'
import { findSite, UsageError, withOwner } from './command.ts'

export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { site: { type: 'string' } } })
  const [word = '', ...rest] = positionals
  if (rest.length > 0)
    throw new UsageError('Customers are looked for by one word: npm run manage -- customers --site CODE [WORD]')
  await withOwner(async client => {
    const site = await findSite(client, values.site)
    const { rows } = await client.query<{ id: number; name: string; company: string; city: string }>(
      `select id, name, company, city from customer
       where site_id = $1 and strpos(lower(concat_ws(' ', code, name, company)), lower($2)) > 0 order by name, id`,
      [site, word],
    )
    for (const { id, name, company, city } of rows)
      console.log([id, name, company, city].filter(part => part !== '').join('\t'))
    if (rows.length === 0)
      console.error(word === '' ? 'The site has no customer.' : `No customer has "${word}" in its name or code.`)
  })
}
