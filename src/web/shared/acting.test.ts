import { beforeEach, expect, test, vi } from 'vitest'

/** A storage of the browser, as far as it is used. */
function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const alfa = { seq_id: 1, name: 'Garage Alfa nv', city: 'Gent' }
const beta = { seq_id: 2, name: 'Lease Beta nv', city: 'Brugge' }

let device = storage()
beforeEach(() => {
  device = storage()
  vi.stubGlobal('localStorage', device)
})

/** A tab of the browser with its page. Reloading it keeps the tab's storage. */
async function openTab(own = storage()) {
  const enter = async () => {
    vi.stubGlobal('sessionStorage', own)
    vi.resetModules()
    return import('./acting.ts')
  }
  return { page: await enter(), reload: enter, show: () => vi.stubGlobal('sessionStorage', own) }
}

test('at first nobody is acted for; a choice holds over a reload and is told to whoever listens', async () => {
  const { page, reload } = await openTab()
  expect(page.actingFor('ann')).toBe(null)
  const heard = vi.fn<() => void>()
  const stop = page.onActingChange(heard)
  page.actFor('ann', alfa)
  stop()
  page.actFor('ann', beta)
  expect(heard).toHaveBeenCalledTimes(1)
  expect((await reload()).actingFor('ann')).toEqual(beta)
})

test('a new tab begins with the last customer of this device; what it chooses leaves the first one alone', async () => {
  const first = await openTab()
  first.page.actFor('ann', alfa)
  const second = await openTab()
  expect(second.page.actingFor('ann')).toEqual(alfa)
  second.page.actFor('ann', beta)
  first.show()
  expect(first.page.actingFor('ann')).toEqual(alfa)
  expect((await first.reload()).actingFor('ann')).toEqual(alfa)
})

test('a tab that was left acts for nobody after a reload, whatever another tab has chosen meanwhile', async () => {
  const first = await openTab()
  first.page.actFor('ann', null)
  const second = await openTab()
  second.page.actFor('ann', beta)
  expect((await first.reload()).actingFor('ann')).toBe(null)
})

test('each account has its own', async () => {
  const { page } = await openTab()
  page.actFor('ann', alfa)
  expect(page.actingFor('bob')).toBe(null)
  expect(page.actingFor('ann')).toEqual(alfa)
})

test('the last five customers are offered, the newest first and each once', async () => {
  const { page } = await openTab()
  for (let seq_id = 1; seq_id <= 7; seq_id++) page.actFor('ann', { ...alfa, seq_id })
  page.actFor('ann', { ...alfa, seq_id: 5 })
  page.actFor('ann', null)
  expect(page.recentCustomers('ann').map(customer => customer.seq_id)).toEqual([5, 7, 6, 4, 3])
})

test('what cannot be read is nobody, and a storage that is forbidden keeps the choice until the page is closed', async () => {
  device.kept.set('wheelhouse.ann.lastCustomer', '{"seq_id":"x"}')
  device.kept.set('wheelhouse.ann.recentCustomers', '"x"')
  const { page } = await openTab()
  expect([page.actingFor('ann'), page.recentCustomers('ann')]).toEqual([null, []])
  const forbidden = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage'])
    vi.stubGlobal(name, { getItem: forbidden, setItem: forbidden, removeItem: forbidden })
  page.actFor('ann', beta)
  expect(page.actingFor('ann')).toEqual(beta)
})

test('whatever is not saved can keep the customer', async () => {
  const { page } = await openTab()
  expect(await page.maySwitch()).toBe(true)
  const stop = page.guardActing(async () => false)
  expect(await page.maySwitch()).toBe(false)
  stop()
  expect(await page.maySwitch()).toBe(true)
})
