import { SimpleGrid, TextInput } from '@mantine/core'
import { IconPencilExclamation } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { languageCodes } from '#domain/people/account.ts'
import { languageNames } from '../shared/languages.ts'
import classes from './config.module.css'
import type { EntryForm } from './entries.tsx'

type Described = Record<`description_${'nl' | 'fr' | 'en' | 'de'}`, string>

/** How customers see an entry, in each language side by side; a mark shows which one is still missing. */
export function Descriptions({ form }: { form: Pick<EntryForm<Described>, 'values' | 'text'> }) {
  const { t } = useTranslation('config')
  return (
    <fieldset className={classes.fieldset}>
      <legend>{t('descriptions')}</legend>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        {languageCodes.map(code => {
          const { iso, name } = languageNames[code]
          const field = `description_${iso}` as const
          const missing = form.values[field].trim() === ''
          return (
            <TextInput
              key={code}
              {...form.text(field)}
              label={<span lang={iso}>{name}</span>}
              rightSection={
                missing && <IconPencilExclamation size={18} stroke={1.6} className={classes.missing} aria-hidden />
              }
              lang={iso}
              maxLength={200}
              required
            />
          )
        })}
      </SimpleGrid>
    </fieldset>
  )
}
