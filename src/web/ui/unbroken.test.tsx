import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Unbroken } from './unbroken.tsx'

test('a sentence is one element, so that the label of a button keeps its blanks', () => {
  const markup = renderToStaticMarkup(<Unbroken part="A-01-2">Record at A-01-2 now</Unbroken>)
  expect(markup).toBe('<span>Record at <span style="white-space:nowrap">A-01-2</span> now</span>')
  expect(renderToStaticMarkup(<Unbroken part="B-02-1">Record at A-01-2</Unbroken>)).toBe('Record at A-01-2')
})

test('without a part it is the first plate or number', () => {
  expect(renderToStaticMarkup(<Unbroken>Invoice F-2026-00001 is paid</Unbroken>)).toBe(
    '<span>Invoice <span style="white-space:nowrap">F-2026-00001</span> is paid</span>',
  )
  expect(renderToStaticMarkup(<Unbroken>Pick-up is paid</Unbroken>)).toBe('Pick-up is paid')
})
