import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askFirst, confirmFirst } from './confirm.tsx'

type Face = ReactElement<{ close: (yes: boolean | 'instead') => void }>
type Opened = { children: ReactElement<{ children: Face }>; onClose: () => void }

/** What the dialogs are asked to open, as their provider in the page is told it. */
const opened: Opened[] = []
beforeEach(() => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  page.addEventListener('mantine-modals:openModal', event => {
    opened.push((event as CustomEvent<Opened>).detail)
  })
})
afterEach(() => {
  for (const { onClose } of opened.splice(0)) onClose()
  vi.unstubAllGlobals()
})
const question = { title: 'Delete operation?', confirm: 'Delete' }

test('a second click while a question is open asks nothing and goes ahead with nothing', async () => {
  const first = confirmFirst(question)
  expect(await confirmFirst(question)).toBe(false)
  expect(opened).toHaveLength(1)
  opened[0]?.children.props.children.props.close(true)
  expect(await first).toBe(true)
})

test('a question that was closed without an answer is a no, and the next one is asked', async () => {
  const first = confirmFirst(question)
  opened[0]?.onClose()
  expect(await first).toBe(false)
  const second = confirmFirst(question)
  expect(opened).toHaveLength(2)
  opened[1]?.children.props.children.props.close(true)
  expect(await second).toBe(true)
})

test('a question with a second way to go ahead says which one it was', async () => {
  const asked = { ...question, instead: 'Delete all' }
  for (const reply of [true, 'instead', false] as const) {
    const first = askFirst(asked)
    expect(await askFirst(asked)).toBe(false)
    opened.at(-1)?.children.props.children.props.close(reply)
    expect(await first).toBe(reply)
  }
})

test('the dialog of an answered question closes later than the next one opens, and opens no third', async () => {
  const first = confirmFirst(question)
  opened[0]?.children.props.children.props.close(true)
  expect(await first).toBe(true)
  const second = confirmFirst(question)
  opened[0]?.onClose()
  expect(await confirmFirst(question)).toBe(false)
  expect(opened).toHaveLength(2)
  opened[1]?.children.props.children.props.close(true)
  expect(await second).toBe(true)
})
