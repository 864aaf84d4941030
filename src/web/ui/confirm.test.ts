import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askCustom, confirmFirst, questionOfScans } from './confirm.tsx'

type Face = ReactElement<{ close: (yes: boolean) => void }>
type Opened = { children: ReactElement<{ children: Face }>; onClose: () => void }

/** The dialogs opened through the provider of the page. */
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

test('a scan puts off only a question that says where it is asked again', async () => {
  const other = confirmFirst(question)
  expect(questionOfScans()).toBeNull()
  opened[0]?.onClose()
  await other

  const later: string[] = []
  const spec = {
    title: 'Document?',
    size: 'sm',
    no: 'back',
    render: () => null,
    onPutOff: () => void later.push('later'),
  }
  const first = askCustom<string>(spec)
  questionOfScans()?.putOff()
  expect(await first).toBe('back')
  expect(later).toEqual(['later'])
  expect(questionOfScans()).toBeNull()

  const second = askCustom<string>(spec)
  expect(questionOfScans()?.answer).toBeNull()
  questionOfScans()?.goBack()
  expect(await second).toBe('back')
  expect(later).toEqual(['later'])
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
