import { z } from 'zod'
import { call } from './call.ts'

const lng = z.enum(['nl', 'fr', 'en', 'de'])
const ns = z.string().regex(/^[a-zA-Z]{1,40}$/)

export const locale = {
  file: call({
    path: '/locales/{lng}/{ns}.json',
    method: 'GET',
    who: 'anyone',
    input: z.object({ lng, ns }),
    output: z.record(z.string(), z.unknown()),
    failures: ['record.missing'],
    says: 'The texts of a namespace in one language, as shipped and with the dictionary over it.',
  }),
  add: call({
    path: '/locales/add/{lng}/{ns}',
    who: 'anyone',
    input: z.looseObject({ lng, ns }),
    output: z.object({}),
    failures: ['record.missing', 'request.too_many'],
    says: 'Reports keys that a screen asked for and that have no text.',
  }),
  all: call({
    path: '/locale/all',
    method: 'GET',
    who: ['superuser'],
    input: z.unknown().transform(() => ({})),
    output: z.array(
      z.object({
        _id: z.number().int(),
        language: z.enum(['dut', 'fre', 'eng', 'ger']),
        namespace: z.string(),
        key: z.string(),
        value: z.string(),
      }),
    ),
    says: 'Every translation of the dictionary.',
  }),
}
