import { readFileSync } from 'node:fs'
import { createInstance } from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import { languageIsoCodes } from '#domain/people/account.ts'
import { numbersInTexts } from '#domain/texts/number.ts'
import { type FieldError, useFieldErrorText } from './fieldErrors.ts'

const textsOf = (lang: string) =>
  JSON.parse(readFileSync(new URL(`../../../../texts/${lang}/common.json`, import.meta.url), 'utf8')) as object

function ErrorText({ error }: { error: FieldError }) {
  return useFieldErrorText()(error)
}

test.each(languageIsoCodes)('what is wrong with a field says the limit, in %s', async lang => {
  const i18n = createInstance().use(numbersInTexts)
  await i18n.init({
    lng: lang,
    defaultNS: 'common',
    resources: { [lang]: { common: textsOf(lang) } },
    interpolation: { escapeValue: false, alwaysFormat: true },
  })
  const rendered = (error: FieldError) =>
    renderToStaticMarkup(
      <I18nextProvider i18n={i18n}>
        <ErrorText error={error} />
      </I18nextProvider>,
    )
  for (const why of ['tooLong', 'tooLarge', 'tooSmall'] as const) {
    expect(rendered({ why, limit: 180 })).toMatch(/\b180\b/)
    expect(rendered({ why, limit: 180 })).not.toContain('{{')
  }
})
