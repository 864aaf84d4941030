import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isServiceIcon, serviceIcons } from '#domain/operations/serviceIcon.ts'
import { serviceIcon } from './serviceIcons.ts'

test('every service of the demo has the sign that it names', () => {
  const sites = readFileSync(new URL('../../../db/demo/sites.ts', import.meta.url), 'utf8')
  const named = [...sites.matchAll(/icon: '([^']+)'/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(name => !isServiceIcon(name ?? null))).toEqual([])
})

test('each sign is another one, and an unknown name or none shows nothing', () => {
  const signs = serviceIcons.map(icon => serviceIcon({ icon }))
  expect(new Set(signs).size).toBe(serviceIcons.length)
  expect(signs).not.toContain(null)
  for (const service of [undefined, { icon: null }, { icon: 'constructor' }, { icon: '' }])
    expect(serviceIcon(service)).toBeNull()
})
