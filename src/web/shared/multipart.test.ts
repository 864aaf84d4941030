import { expect, test } from 'vitest'
import { multipart } from './multipart.ts'

test('files go by their names, a list is a field that is repeated, and what has no value stays at home', () => {
  const logo = new File(['wheel'], 'logo.png', { type: 'image/png' })
  const form = multipart({
    id: 7,
    urls: ['a.example', 'b.example'],
    navlogo: logo,
    favicon: undefined,
    code: null,
    on: false,
  })
  expect([...form.keys()]).toEqual(['id', 'urls', 'urls', 'navlogo', 'on'])
  expect(form.get('id')).toBe('7')
  expect(form.getAll('urls')).toEqual(['a.example', 'b.example'])
  expect(form.get('navlogo')).toEqual(logo)
  expect(form.get('on')).toBe('false')
})

test('a list without entries is no field', () => {
  expect([...multipart({ urls: [] }).keys()]).toEqual([])
})
