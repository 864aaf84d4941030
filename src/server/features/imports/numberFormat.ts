/** The meaning of a number format (ECMA-376, part 1, 18.8.30 and 18.8.31). */

export type NumberFormat =
  /** Its digits, with decimals, thousands and a currency. */
  | { readonly kind: 'plain' }
  /** A day or a time. */
  | { readonly kind: 'date' }
  /** Its digits in the place of zeros, between other signs: `00000`, `"K"000`. */
  | { readonly kind: 'digits'; write(number: number): string }
  | { readonly kind: 'exponent' | 'percent' | 'format' }

const plain: NumberFormat = { kind: 'plain' }
const date: NumberFormat = { kind: 'date' }

/** The formats that no workbook writes out. */
export function formatsBuiltIn(id: number): NumberFormat {
  if (id === 9 || id === 10) return { kind: 'percent' }
  if (id === 11 || id === 48) return { kind: 'exponent' }
  if (id === 12 || id === 13) return { kind: 'format' }
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)) return date
  return plain
}

/** A part of a format: a text that is written as it is, or a sign that means something. */
type Part = { readonly text: string } | { readonly sign: string }

/** The parts of the first section of a format, which is that of positive numbers; `null`: it has a condition. */
function partsOf(code: string): Part[] | null {
  const parts: Part[] = []
  for (const [whole, quoted, escaped, bracket, blank] of code.matchAll(/"([^"]*)"|\\(.)|\[([^\]]*)\]|([_*].)|./gsu)) {
    if (quoted !== undefined) parts.push({ text: quoted })
    else if (escaped !== undefined) parts.push({ text: escaped })
    else if (bracket !== undefined) {
      if (/^[<>=]/.test(bracket)) return null
      if (/^(?:h+|m+|s+)$/i.test(bracket)) parts.push({ sign: bracket.charAt(0) })
      else if (bracket.startsWith('$')) parts.push({ text: bracket.slice(1).replace(/-.*$/, '') })
    } else if (blank !== undefined) parts.push({ text: '' })
    else if (whole === ';') break
    else parts.push({ sign: whole })
  }
  return parts
}

/** Signs that stand for themselves. */
const literal = /^[-+ ()/:!^&'~{}<>=$€£]$/

/** Parses a format code. */
export function formatOf(code: string): NumberFormat {
  if (/^(?:general|@)?$/i.test(code.trim())) return plain
  const parts = partsOf(code)
  if (!parts) return { kind: 'format' }
  const signs = parts.flatMap(part => ('sign' in part ? part.sign : [])).join('')
  if (/general/i.test(signs)) return plain
  if (/E[+-]/i.test(signs)) return { kind: 'exponent' }
  if (/[ymdhs]/i.test(signs)) return date
  if (signs.includes('%')) return { kind: 'percent' }
  const onlyZeros = parts.every(part => 'text' in part || part.sign === '0' || literal.test(part.sign))
  const zeros = parts.filter(part => 'sign' in part && part.sign === '0').length
  if (onlyZeros && zeros > 0) {
    const saysMore =
      zeros > 1 || parts.some(part => ('text' in part ? /[\p{L}\p{N}]/u.test(part.text) : part.sign === '-'))
    return saysMore && !isMoney(parts) ? { kind: 'digits', write: number => written(number, parts, zeros) } : plain
  }
  // `# ?/?` is a fraction, `0,` a number of thousands
  if (
    !/^[0#?.,]+$/.test(signs.replaceAll(/[-+ ()$€£]/g, '')) ||
    /,(?:$|\.|[^0#?])/.test(signs.replaceAll(/[-+ ()$€£]/g, ''))
  )
    return { kind: 'format' }
  return parts.some(part => 'text' in part && /\p{N}/u.test(part.text)) ? { kind: 'format' } : plain
}

const isMoney = (parts: readonly Part[]): boolean =>
  parts.some(part => ('text' in part ? /^\s*(?:[€$£]|EUR|CHF|kr\.?)\s*$/i.test(part.text) : /[€$£]/.test(part.sign)))

/** The digits of a number in the place of zeros, from the right; the first zero takes all that are left. */
function written(number: number, parts: readonly Part[], zeros: number): string {
  const digits = number.toFixed(0).padStart(zeros, '0')
  let at = digits.length - zeros
  let isFirst = true
  return parts
    .map(part => {
      if ('text' in part) return part.text
      if (part.sign !== '0') return part.sign
      const taken = isFirst ? digits.slice(0, at + 1) : digits.charAt(at)
      isFirst = false
      at++
      return taken
    })
    .join('')
}
