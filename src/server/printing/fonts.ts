/** The fonts of everything that is printed. They are embedded, so that a print looks the same wherever it is opened. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const files = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
}

export type Face = keyof typeof files

/** Makes the faces known to a document under their names. */
export function registerFonts(document: PDFKit.PDFDocument): void {
  for (const [face, file] of Object.entries(files)) document.registerFont(face, file)
}
