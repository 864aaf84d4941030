import { expect, test } from 'vitest'
import { messagesIn } from './useForm.ts'

test('a rule that is kept takes no message of another rule away', () => {
  expect(messagesIn({ name: 'required' }, { name: undefined })).toEqual({ name: 'required' })
  expect(messagesIn({ name: 'required' }, { name: 'taken' })).toEqual({ name: 'taken' })
  expect(messagesIn({ name: undefined }, {})).toEqual({})
})
