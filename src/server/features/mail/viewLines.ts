/** The lines of a view that a weekly message lists. */
import type { Language } from '#domain/people/account.ts'
import { type Translate, translate } from '../../texts/texts.ts'

/** The rows that a message has room for, of so many, and in words what they leave out. */
export function viewLines(
  rows: readonly string[],
  { count, lang, texts = translate }: { count: number; lang: Language; texts?: Translate },
): string[] {
  const more = count - rows.length
  if (count === 0) return [texts(lang, 'mail', 'view.none')]
  return more > 0 ? [...rows, texts(lang, 'mail', 'view.more', { count: more })] : [...rows]
}
