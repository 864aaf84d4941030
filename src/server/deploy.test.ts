/** The examples of `deploy` and `compose.yaml`, read as the programs read them that they are for. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const read = (file: string): string => readFileSync(pathOf(file), 'utf8')

/** Names as Prometheus takes them (its `model.LabelName`). */
const name = z.string().regex(/^[a-zA-Z_]\w*$/)
const sentence = z.string().regex(/^[A-Z].*\.$/)
const duration = z.string().regex(/^(?:\d+(?:ms|[smhdwy]))+$/)
/** A file of alert rules. Strict: a part of a sentence that became a key of its own is refused, as Prometheus does. */
const ruleFile = z.strictObject({
  groups: z
    .array(
      z.strictObject({
        name,
        rules: z
          .array(
            z.strictObject({
              alert: name,
              expr: z.string().min(1),
              for: duration.optional(),
              labels: z.record(name, z.string()).optional(),
              annotations: z.strictObject({ summary: sentence }),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
})

test('the alert rules are what Prometheus takes: names are names, and texts are whole', () => {
  const group = (summary: string) => `
groups:
  - name: wheelhouse
    rules:
      - alert: WheelhouseReplicaAway
        expr: wheelhouse_replica_behind_seconds == +Inf
        annotations: { summary: ${summary} }`
  expect(ruleFile.safeParse(parse(group("'Not used, and the primary answers.'"))).success).toBe(true)
  expect(ruleFile.safeParse(parse(group('Not used, and the primary answers.'))).success).toBe(false)
  const { groups } = ruleFile.parse(parse(read('deploy/alerts/wheelhouse.yml')))
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect(alerts.length).toBeGreaterThan(15)
  expect(new Set(alerts).size).toBe(alerts.length)
})

/** Prometheus' own reader of rules, of Debian's package `prometheus`. */
const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.runIf(hasPromtool)('Prometheus itself takes the alert rules, names and expressions', () => {
  const output = execFileSync('promtool', ['check', 'rules', pathOf('deploy/alerts/wheelhouse.yml')], {
    encoding: 'utf8',
  })
  expect(output).toMatch(/SUCCESS: \d+ rules found/)
})

/** The keys without a value, by their path: mostly what an unquoted comma has torn off a text. */
function emptyKeys(value: unknown, path = ''): string[] {
  if (value === null) return [path]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, part]) => emptyKeys(part, `${path}/${key}`))
}

test('no file of YAML has a text that a comma has torn apart', () => {
  expect(emptyKeys(parse('{ a: one, two }'))).toEqual(['/two'])
  const files = readdirSync(pathOf('deploy'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.yml'))
    .map(file => `deploy/${file}`)
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) expect(emptyKeys(parse(read(file))), file).toEqual([])
  // a volume of the usual kind has no options
  const { volumes, ...compose } = parse(read('compose.yaml')) as Record<string, unknown>
  expect(Object.values(volumes as object)).toEqual([null, null, null])
  expect(emptyKeys(compose)).toEqual([])
})

/** A service of compose.yaml that can write nowhere but where it is told to, and take no more than its share of the machine. */
const confined = z.looseObject({
  read_only: z.literal(true),
  tmpfs: z.array(z.string().startsWith('/')),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string().regex(/^(?:\d+[mg]|\$\{\w+:-\d+[mg]\})$/),
  pids_limit: z.number().int().positive(),
})

test('each container has a read-only root, no capabilities but those it names, no new privileges, and limits', () => {
  const { services } = parse(read('compose.yaml')) as { services: Record<string, unknown> }
  expect(Object.keys(services).toSorted()).toEqual(['database', 'portal', 'proxy'])
  for (const [service, settings] of Object.entries(services))
    expect(confined.safeParse(settings).error?.message, service).toBeUndefined()
  const added = Object.entries(services as Record<string, { cap_add?: string[] }>).map(([service, { cap_add }]) => [
    service,
    cap_add,
  ])
  // the portal itself needs none
  expect(Object.fromEntries(added)).toEqual({
    proxy: ['NET_BIND_SERVICE'],
    portal: undefined,
    database: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  })
})

test('a portal of systemd may write into the folder of its backups, and nowhere else but for its own data', () => {
  for (const file of ['wheelhouse.service', 'wheelhouse@.service']) {
    const settings = read(`deploy/systemd/${file}`).match(/^[A-Z]\w+=.*$/gm) ?? []
    expect(settings).toContain('ProtectSystem=strict')
    expect(settings.filter(setting => setting.startsWith('ReadWritePaths='))).toEqual([
      'ReadWritePaths=-/var/backups/wheelhouse',
    ])
    expect(settings.filter(setting => setting.startsWith('StateDirectory='))).toEqual(
      file.includes('@') ? [] : ['StateDirectory=wheelhouse'],
    )
  }
  const alone = read('deploy/systemd/wheelhouse.service')
  expect(alone).toContain('DATA_DIR=/var/lib/wheelhouse/data')
  // PostgreSQL is stopped by the portal, after the requests in flight
  expect(alone).toContain('KillMode=mixed')
  expect(read('docs/operations.md')).toContain('BACKUP_TO=/var/backups/wheelhouse')
})
