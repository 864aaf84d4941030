/** Reported damage of a wheel, and its photos (docs/product/warehouse.md "Damage"). */

export const damageCodes = ['nail', 'bulge', 'cut', 'sidewall', 'flat_spot', 'rim_bent', 'age'] as const
export type DamageCode = (typeof damageCodes)[number]

/** How a report of damage ends: the wheel was repaired, or there is nothing to repair, which needs a note that says why. */
export const damageEndings = ['repaired', 'closed'] as const

/** The longest note, in characters, and the most photos of one report. */
export const maxDamageNote = 500
export const maxPhotos = 6
/** The longest sides of a photo that is kept and of its small copy, in pixels; devices send none that is larger. */
export const photoSidePx = 1600
export const smallPhotoSidePx = 240

export const isDamageCode = (text: string): text is DamageCode => damageCodes.some(code => code === text)

/** Whether the note of an event of a tyre is a code. */
export const isDamageEvent = (kind: string): boolean => ['damaged', 'repaired', 'undamaged'].includes(kind)
