/** Fields by their path: `name`, `driver.email`, `urls.2`. */

/** The paths in `V` to values of the type `X`. */
export type PathTo<V, X> = {
  [K in keyof V & string]: V[K] extends X
    ? K
    : V[K] extends Readonly<Record<string, unknown>>
      ? `${K}.${PathTo<V[K], X>}`
      : never
}[keyof V & string]

/** The value at a path; `undefined` where there is none. */
export const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, piece) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[piece], values)

/** The values with another one at a path. */
export function withValueAt<V>(values: V, path: string, value: unknown): V {
  const [field = '', ...rest] = path.split('.')
  const inner =
    rest.length === 0 ? value : withValueAt((values as Record<string, unknown>)[field], rest.join('.'), value)
  return { ...values, [field]: inner }
}

/** Whether two values hold the same, field by field. */
export function sameValues(first: unknown, other: unknown): boolean {
  if (Object.is(first, other)) return true
  if (typeof first !== 'object' || typeof other !== 'object' || first === null || other === null) return false
  if (first instanceof Blob || other instanceof Blob || Array.isArray(first) !== Array.isArray(other)) return false
  const [mine, theirs] = [first, other] as [Record<string, unknown>, Record<string, unknown>]
  return Object.keys({ ...mine, ...theirs }).every(field => sameValues(mine[field], theirs[field]))
}
