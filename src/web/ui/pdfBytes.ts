/** The bytes of a base64 text that holds a PDF, `null` for any other text: "The PDF file is invalid." (SPEC §8). */
export function pdfBytes(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
    return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-' ? bytes : null
  } catch {
    return null
  }
}
