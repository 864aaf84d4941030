/** Texts of the portal and what may be said instead of them: the dictionary's rules (SPEC §2 "Superuser", §3 "Translation"). */

/** So many characters a translation has at most. */
export const translationAtMost = 5000

/** The names of the facts that a text leaves room for (`{{count}}`), each once, in the order of the text. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set(
    text
      .split('{{')
      .slice(1)
      .flatMap(part => {
        const [inside = '', rest] = part.split('}}', 2)
        const [name = ''] = inside.replace(/^-/, '').trim().split(/[,\s]/, 1)
        return rest === undefined || name === '' || inside.includes('}') ? [] : [name]
      }),
  ),
]

/** The keys of plural forms that may go without their number: one tyre may say it as a word. */
const freeForm = /_(zero|one|two|few|many)$/

/** What is wrong with the placeholders of a text that stands for another: those that it lost, and those that nobody fills. */
export function wrongPlaceholders(key: string, model: string, text: string): { lost: string[]; unknown: string[] } {
  const [there, here] = [placeholdersOf(model), placeholdersOf(text)]
  const free = freeForm.test(key) ? ['count'] : []
  return {
    lost: there.filter(name => !here.includes(name) && !free.includes(name)),
    unknown: here.filter(name => !there.includes(name) && !free.includes(name)),
  }
}

// oxlint-disable-next-line no-control-regex -- those are what it finds
const control = /[\u0000-\u001F\u007F\u0085\u2028\u2029]+/g

/** A text as it is kept: one line, trimmed; a no-break space inside stays, French needs it. */
export const tidyText = (text: string): string => text.replaceAll(control, ' ').toWellFormed().trim()
