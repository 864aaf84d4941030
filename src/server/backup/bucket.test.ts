/**
 * Backups in a store that speaks S3: in parts, read back, thinned, encrypted, restored, and refused aloud.
 * @module-tag whole
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startBucketServer, type BucketServer } from '../testing/bucketServer.ts'
import { world, type World } from '../testing/world.ts'
import { restoringAlone } from '../testing/restores.ts'
import { backUpInto } from './backUpInto.ts'
import { openBucket } from './bucket.ts'
import { openFile, openFolder } from './files.ts'
import { backUpIfDue } from './nightly.ts'
import { restoreBackup } from './restoreBackup.ts'
import { backupName } from './retention.ts'

const passphrase = 'four words that nobody guesses'
let store: BucketServer
beforeEach(async () => {
  store = await startBucketServer()
})
afterEach(() => store.close())

/** A folder in the bucket, in small parts and without patience. */
const opened = (access = store.access) => openBucket(`${store.url}/hall/`, access, { partSize: 1000, pauses: [0, 0] })
const written = async (bytes: Buffer, check = async () => {}) => {
  const file = opened().file('some file')
  await file.write(Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]), check)
  return file
}

describe('a file in a bucket', () => {
  test('goes there in parts, and comes back as it was', async () => {
    const bytes = randomBytes(4321)
    const file = await written(bytes)
    expect(store.asked).toEqual(['begin', 'part', 'part', 'part', 'part', 'part', 'complete'])
    expect(store.largest).toBe(1000)
    expect([file.name, await file.exists(), await file.size()]).toEqual([`${store.url}/hall/some file`, true, 4321])
    expect((await buffer(await file.read())).equals(bytes)).toBe(true)
    expect((await buffer(await file.read(20))).equals(bytes.subarray(0, 20))).toBe(true)
    expect(await opened().names()).toEqual(['some file'])
    await file.remove()
    expect([await file.exists(), await opened().names()]).toEqual([false, []])
  })

  test('is asked for again while the store is busy or cuts off, not when it refuses', async () => {
    store.faults = [
      { act: 'begin', fault: 'busy' },
      { act: 'part', fault: 'cut off' },
      { act: 'part', fault: 'busy' },
    ]
    const bytes = randomBytes(1500)
    expect((await buffer(await (await written(bytes)).read())).equals(bytes)).toBe(true)
    store.asked.length = 0
    await expect(opened({ ...store.access, secret: 'another one' }).names()).rejects.toThrow('403')
    expect(store.asked).toEqual(['list'])
    await expect(openBucket(`${new URL(store.url).origin}/other`, store.access).names()).rejects.toThrow('no bucket')
  })

  test.each([
    ['a part', 'part'],
    ['the end', 'complete'],
  ] as const)('of which %s is refused leaves nothing behind', async (_, act) => {
    store.faults = [{ act, fault: 'denied' }]
    await expect(written(randomBytes(1500))).rejects.toThrow('403')
    expect([store.uploads.size, store.objects.size]).toEqual([0, 0])
  })

  test('is not there when what was written fails its check, or was never put together', async () => {
    await expect(written(randomBytes(10), () => Promise.reject(new Error('not so')))).rejects.toThrow('not so')
    expect(store.objects.size).toBe(0)
    store.faults = [{ act: 'complete', fault: 'error in a good answer' }]
    const read = async () => void (await buffer(await opened().file('some file').read()))
    await expect(written(randomBytes(10), read)).rejects.toThrow('404')
    expect([store.uploads.size, store.objects.size]).toEqual([0, 0])
  })

  test('that is cut off while it is read is no shorter file', async () => {
    const file = await written(randomBytes(3000))
    store.faults = [{ act: 'read', fault: 'cut off' }]
    await expect(buffer(await file.read())).rejects.toThrow(store.url)
  })

  test('needs a key', () => {
    expect(() => openFolder(store.url)).toThrow('set BACKUP_ACCESS_KEY_ID')
    expect(() => readConfig({ BACKUP_TO: store.url })).toThrow('needs BACKUP_ACCESS_KEY_ID')
  })
})

describe('a backup', () => {
  let at: World
  beforeAll(async () => {
    at = await world()
  })
  afterAll(() => at.close())

  const take = (now: Date, encrypted = false) =>
    backUpInto(at.adminUrl, opened(), { now, passphrase: encrypted ? passphrase : null })

  test('is taken at night, encrypted, and restores into another database', async () => {
    const problems: string[] = []
    await backUpIfDue(
      at.database,
      {
        url: at.adminUrl,
        folder: `${store.url}/hall`,
        access: store.access,
        passphrase,
        since: new Date(2026, 10, 24),
        sendsMail: false,
        log: problem => problems.push(problem),
      },
      { now: new Date(2026, 10, 24, 3), signal: new AbortController().signal },
    )
    expect(problems).toEqual([])
    const [name = ''] = await opened().names()
    expect(name).toMatch(/\.tar\.gz\.age$/)
    const [run] = await at.query('select file, problem from backup_run')
    expect(run).toEqual({ file: `${store.url}/hall/${name}`, problem: '' })

    const url = new URL(at.adminUrl)
    url.pathname = `${url.pathname}_again`
    await restoringAlone(url.href, () =>
      restoreBackup(url.href, openFile(`${store.url}/hall/${name}`, store.access), {
        passphrase,
        now: new Date(),
        log: () => {},
      }),
    )
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    await client.query(`select set_config('app.scope', 'system', false)`)
    const names = `select string_agg(username, ' ' order by id) as names from account`
    const { rows } = await client.query<{ names: string }>(names)
    await client.end()
    expect(rows).toEqual(await at.query(names))
  })

  test('of which a byte changes on its way is refused, and displaces no good one', async () => {
    const good = await take(new Date('2026-11-24T01:00:00Z'))
    store.faults = [{ act: 'part', fault: 'wrong byte' }]
    await expect(take(new Date('2026-11-24T02:00:00Z'))).rejects.toThrow('damaged')
    expect([...store.objects.keys()]).toEqual([good.file.slice(`${store.url}/`.length)])
    expect(store.uploads.size).toBe(0)
  })

  test('displaces those that are no longer kept, and nothing of somebody else', async () => {
    const early = backupName(new Date('2026-11-24T01:00:00Z'), true)
    for (const key of [`hall/${early}`, 'hall/notes.txt', `hall/deeper/${early}`, early])
      store.objects.set(key, Buffer.from('x'))
    const now = new Date('2026-11-24T02:00:00Z')
    await take(now, true)
    expect([...store.objects.keys()]).toEqual([
      'hall/notes.txt',
      `hall/deeper/${early}`,
      early,
      `hall/${backupName(now, true)}`,
    ])
  })
})
