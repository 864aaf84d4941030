import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Unbroken } from './unbroken.tsx'

test('a sentence is one element, so that the label of a button keeps its blanks', () => {
  const markup = renderToStaticMarkup(<Unbroken part="A-01-2">Record at A-01-2 now</Unbroken>)
  expect(markup).toBe('<span>Record at <span style="white-space:nowrap">A-01-2</span> now</span>')
  expect(renderToStaticMarkup(<Unbroken part="B-02-1">Record at A-01-2</Unbroken>)).toBe('Record at A-01-2')
})
