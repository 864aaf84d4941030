/** The rules for translations that replace texts of the portal (docs/product/sites.md "Dictionary"). */

/** The longest translation, in characters. */
export const maxTranslationLength = 5000

/** The placeholders of a text (`{{count}}`) by their names, each once, in the order of the text. */
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

/** The keys of plural forms that may leave out their number, as "One tyre" does. */
const formWithoutCount = /_(zero|one|two|few|many)$/

/** The placeholder errors of a text that replaces the text `model`: placeholders it lost, and unknown ones that nothing fills. */
export function wrongPlaceholders(key: string, model: string, text: string): { lost: string[]; unknown: string[] } {
  const [expected, actual] = [placeholdersOf(model), placeholdersOf(text)]
  const optional = formWithoutCount.test(key) ? ['count'] : []
  return {
    lost: expected.filter(name => !actual.includes(name) && !optional.includes(name)),
    unknown: actual.filter(name => !expected.includes(name) && !optional.includes(name)),
  }
}

// oxlint-disable-next-line no-control-regex -- those are what it finds
const control = /[\u0000-\u001F\u007F\u0085\u2028\u2029]+/g

/** A text as it is stored: one line, trimmed. A no-break space inside stays: French needs it. */
export const tidyText = (text: string): string => text.replaceAll(control, ' ').toWellFormed().trim()
