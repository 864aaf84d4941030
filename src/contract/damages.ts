/** Damage of wheels, and photos of them (docs/product/warehouse.md "Damage"). */
import { z } from 'zod'
import { damageCodes, damageEndings, maxDamageNote, maxPhotos } from '#domain/warehouse/damage.ts'
import { hotelModes } from '#domain/site.ts'
import { type AnswerName, call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, inputTyres, moment, typedText, upload } from './wire.ts'

/** The most reports that are listed: the newest. */
export const maxReports = 200
/** The most small copies of photos that one call answers. */
const maxSmallPhotos = 60

const note = typedText(maxDamageNote)

/** A report on a wheel; without a code it is photos of a wheel that nothing is the matter with. */
const report = z.object({
  _id: id,
  tyre: id,
  code: z.enum(damageCodes).nullable(),
  note: z.string(),
  at: moment,
  by: z.string().nullable(),
  ended: z.object({ how: z.enum(damageEndings), at: moment, by: z.string().nullable(), note: z.string() }).nullable(),
  photos: rows(id),
})
export type DamageReport = z.output<typeof report>

const changed: AnswerName[] = [
  'cards.read',
  'damages.list',
  'tyres.events',
  'wheels.clearup',
  'wheels.tally',
  'today.read',
]

export const damages = feature('damages', {
  list: call({
    path: '/damages/list',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ tyres: inputTyres(200) }),
    output: rows(report),
    failures: ['record.missing'],
    summary: `Lists what was reported of these tyres, newest first, at most ${maxReports} reports.`,
  }),
  report: call({
    path: '/damages/report',
    scope: 'warehouse',
    workKind: 'scan',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    idempotent: true,
    input: z.object({ db_id: inputId, code: z.enum(damageCodes), note: note.default('') }),
    output: report,
    failures: ['record.missing', 'tyre.status_refused', 'damage.known'],
    invalidates: changed,
    summary: 'Reports damage of a wheel, of each kind once until it has ended.',
  }),
  end: call({
    path: '/damages/end',
    scope: 'warehouse',
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    input: z
      .object({ damage: inputId, how: z.enum(damageEndings), note: note.default('') })
      .refine(({ how, note: why }) => how === 'repaired' || why !== '', { path: ['note'] }),
    output: report,
    failures: ['record.missing', 'damage.ended'],
    invalidates: changed,
    summary: 'Says that damage was repaired, or with a note that there is none. A report ends once.',
  }),
  addphoto: call({
    path: '/damages/addphoto',
    scope: 'warehouse',
    costly: true,
    who: ['admin'],
    warehouse: true,
    modes: hotelModes,
    files: ['photo'],
    input: z
      .object({ damage: inputId.optional(), db_id: inputId.optional(), photo: upload.optional() })
      .refine(({ damage, db_id }) => (damage === undefined) !== (db_id === undefined), { path: ['damage'] }),
    output: report,
    failures: [
      'record.missing',
      'tyre.status_refused',
      'damage.ended',
      'damage.photos_full',
      'image.missing',
      'image.unreadable',
      'image.too_large',
    ],
    invalidates: changed,
    summary: `Adds a photo to a report, at most ${maxPhotos}; named by its tyre, to the report of a wheel without damage that the account made today, which it begins. The server encodes the picture again. The same picture is added once.`,
  }),
  photo: call({
    path: '/damages/photo',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ photo: inputId }),
    /** A WebP picture in base64. */
    output: z.object({ photo: id, width: z.number().int(), height: z.number().int(), content: z.base64() }),
    failures: ['record.missing'],
    summary: 'Answers a photo as a WebP picture in base64.',
  }),
  small: call({
    path: '/damages/small',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    modes: hotelModes,
    input: z.object({ photos: list(inputId, maxSmallPhotos, 1) }),
    output: rows(z.object({ photo: id, content: z.base64() })),
    failures: ['record.missing'],
    summary: 'Answers small copies of photos as WebP pictures in base64.',
  }),
})
