/**
 * `npm run manage`: what an operator does at the command line beside a running portal or without one: sites and accounts for the first
 * ones of an installation and for scripts, ids of customers, a look at what is wrong, and SQL. Each command is loaded when it is asked for.
 */
import { runCommand, UsageError } from './command.ts'

const usage = `npm run manage -- site CODE --name NAME --email ADDRESS [--address HOST]… [--mode hotelonly|fleetonly|both]
    Creates a site. HOST is what its users type in the browser; * is every address that belongs to no other site.

npm run manage -- account USERNAME --type superuser
npm run manage -- account USERNAME --type admin --site CODE
npm run manage -- account USERNAME --type user --site CODE --customer ID
    Creates an account, or gives an existing one a new password; its sessions end. The password has to be changed at
    the first sign-in.
    The password is asked for at a terminal, and read from standard input otherwise; when it is empty, one is generated
    and printed.

--remove-second-step   for somebody who has lost passkey, app and codes, with account
--fullname NAME   the person's name, with account
--email ADDRESS   where messages about the account go, with account

npm run manage -- customers --site CODE [WORD]
    Lists the customers of a site with their ids, those with WORD in their name or code.

npm run manage -- doctor [--json]
    Looks at settings, versions, schema, disk, clock, mail, backups, proxy, https, time zones, slow statements, bloat and
    failed jobs, and says what to do. The exit code is 1 when something is at fault.

npm run manage -- sql [--write] [STATEMENT]
    Runs SQL on the portal's database as the owner of its tables: STATEMENT, or what standard input has. Without --write
    it can only read. All sites are in sight.
`

const commands: Readonly<Record<string, () => Promise<{ run(args: string[]): Promise<void> }>>> = {
  site: () => import('./manageSite.ts'),
  account: () => import('./manageAccount.ts'),
  customers: () => import('./manageCustomers.ts'),
  doctor: () => import('./doctor.ts'),
  sql: () => import('./sql.ts'),
}

async function manage([kind = '', ...args]: string[]): Promise<void> {
  const load = Object.hasOwn(commands, kind) ? commands[kind] : undefined
  if (!load || args.includes('--help')) throw new UsageError(usage)
  const { run } = await load()
  await run(args)
}

await runCommand(manage)
