/** Reads JSON bodies. What costs more to decode than any call needs is refused before it is decoded. */
import { Failure } from '#domain/failure.ts'

/**
 * Four times the largest of each that a call takes: 20,000 wheels to charge, and 250 different names with 4 levels in a whole configuration with
 * its services. JSON of a megabyte that is not bounded occupies the only thread for half a second.
 */
export const jsonBounds = { values: 80_000, names: 1000, depth: 16 } as const

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const colon = ':'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const [openList, closeList, openObject, closeObject] = [...'[]{}'].map(sign => sign.charCodeAt(0))

/** Where the text that begins after `from` ends; the length of `json` when it does not. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = end
    while (json.charCodeAt(escapes - 1) === backslash) escapes--
    if ((end - escapes) % 2 === 0) return end
  }
  return json.length
}

/**
 * Refuses JSON with too many values or different names, or nested too deeply, by its signs alone; whether it is JSON at all is for the parser to say.
 * @throws Failure `request.too_complex`
 */
export function boundJson(json: string): void {
  const names = new Set<string>()
  let [values, depth, textFrom, textTo] = [1, 0, 0, 0]
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === quote) {
      textFrom = at
      textTo = at = endOfText(json, at)
    } else if (sign === colon) {
      names.add(json.slice(textFrom, textTo))
    } else if (sign === openList || sign === openObject) {
      values++
      depth++
    } else if (sign === closeList || sign === closeObject) depth--
    else if (sign === comma) values++
    if (values > jsonBounds.values || depth > jsonBounds.depth || names.size > jsonBounds.names)
      throw new Failure('request.too_complex')
  }
}
