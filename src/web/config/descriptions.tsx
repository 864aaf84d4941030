import { SimpleGrid, TextInput } from '@mantine/core'
import { IconPencilExclamation } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languageCodes } from '#domain/account.ts'
import { languageNames } from '../shared/languages.ts'
import classes from './config.module.css'
import type { Said } from './entryDialog.tsx'

type Described = Record<`description_${'nl' | 'fr' | 'en' | 'de'}`, string>
type DescriptionsProps = Said & { entry: Described; change: (change: Partial<Described>) => void }

/** How customers see an entry, in each language side by side; a mark shows which one is still missing. */
export function Descriptions({ entry, change, said, leave }: DescriptionsProps) {
  const { t } = useTranslation('config')
  return (
    <fieldset className={classes.fieldset}>
      <legend>{t('descriptions')}</legend>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        {languageCodes.map(code => {
          const { iso, name } = languageNames[code]
          const field = `description_${iso}` as const
          const missing = entry[field].trim() === ''
          return (
            <TextInput
              key={code}
              label={<span lang={iso}>{name}</span>}
              value={entry[field]}
              onChange={event => change({ [field]: event.currentTarget.value })}
              onBlur={() => leave(field)}
              error={said(field)}
              rightSection={
                missing && <IconPencilExclamation size={18} stroke={1.6} className={classes.missing} aria-hidden />
              }
              lang={iso}
              maxLength={200}
              autoComplete="off"
              required
            />
          )
        })}
      </SimpleGrid>
    </fieldset>
  )
}
