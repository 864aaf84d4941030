/** The schema that this portal knows: the number of its newest migration. */
import fs from 'node:fs'
import path from 'node:path'

export const shippedDirectory = path.join(import.meta.dirname, '..', '..', '..', 'db', 'migrations')

export const newestSchema = (): number =>
  Math.max(...fs.readdirSync(shippedDirectory).map(file => Number(/^(\d{4})_/.exec(file)?.[1] ?? 0)))
