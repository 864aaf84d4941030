const pageMark = '/Type /Page\n'

/** Counts the pages of a PDF that arrives as JSON text of its base64, chunk by chunk; returns the count so far. */
export function pageCounter(): (piece: string) => number {
  let letters = ''
  let end = ''
  let pages = 0
  return piece => {
    letters += piece.replaceAll('"', '')
    const whole = letters.length - (letters.length % 4)
    const text = end + atob(letters.slice(0, whole))
    letters = letters.slice(whole)
    pages += text.split(pageMark).length - 1
    // a mark may be cut in two, but is not counted twice
    end = text.slice(Math.max(text.lastIndexOf(pageMark) + 1, text.length - pageMark.length + 1))
    return pages
  }
}

/** The bytes of a base64 text that holds a PDF, `null` for any other text: "The PDF file is invalid.". */
export function pdfBytes(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = bytesOf(base64)
    return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-' ? bytes : null
  } catch {
    return null
  }
}

/** The bytes of a base64 text. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))

/** The letters of a PDF that no font has, as the server's print names them in it (src/server/printing/fonts.ts). */
export function missingLetters(pdf: Uint8Array): string[] {
  const [, names] = /\(MissingLetters ([\dA-F+ ]+)\)/.exec(new TextDecoder('latin1').decode(pdf)) ?? []
  return (names ?? '')
    .split(' ')
    .filter(Boolean)
    .map(name => String.fromCodePoint(...name.split('+').map(point => Number.parseInt(point, 16))))
}
