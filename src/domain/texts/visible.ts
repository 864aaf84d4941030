/** Signs that join the letters of a script, or the parts of a picture, are seen; between others they are not. */
const joined = String.raw`[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Extended_Pictographic}]`
const invisible = new RegExp(
  String.raw`((?<=\p{Extended_Pictographic})\ufe0f|(?<=${joined}\ufe0f?)[\u200c\u200d](?=${joined}))|\p{DI}|(?![\t\n\r])\p{Cc}`,
  'gu',
)

/**
 * A text without what nobody sees, such as a zero-width space, a mark of direction or a control character, and with its letters composed:
 * two texts that look equal are equal, but for letters of other scripts that look alike.
 */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(invisible, (_, kept: string | undefined) => kept ?? '')
