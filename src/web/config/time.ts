/**
 * The time of day that a person has typed, as `HH:MM`: `9`, `9:30`, `9.30`, `9h30`, `930`, `09:30`. `null` for what is none.
 */
export function typedTime(text: string): string | null {
  const parts = /^\s*(\d{1,2})(?:\s*[:.hHu ]\s*(\d{2})?)?\s*$/.exec(text) ?? /^\s*(\d{1,2})(\d{2})\s*$/.exec(text)
  if (!parts) return null
  const [, hour = '', minute = '0'] = parts
  if (Number(hour) > 23 || Number(minute) > 59) return null
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}
