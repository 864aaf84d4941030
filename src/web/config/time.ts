/** Parses a typed time of day to `HH:MM`: `9`, `9:30`, `9.30`, `9h30`, `930`, `09:30`. `null` for anything else. */
export function typedTime(text: string): string | null {
  const tidy = text.trim().replaceAll(/\s+/g, ' ')
  const parts = /^(\d{1,2})(?: ?[:.hHu ] ?(\d{2})?)?$/.exec(tidy) ?? /^(\d{1,2})(\d{2})$/.exec(tidy)
  if (!parts) return null
  const [, hour = '', minute = '0'] = parts
  if (Number(hour) > 23 || Number(minute) > 59) return null
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

/** Normalises a typed time of day; invalid text stays, for its error. */
export const tidyTime = (text: string): string => typedTime(text) ?? text.trim()
