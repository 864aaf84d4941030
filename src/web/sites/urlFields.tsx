/** The addresses of a site, at least one. */
import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Form } from '../ui/form/useForm.ts'
import classes from './urlFields.module.css'

type UrlFieldsProps = { form: Pick<Form<{ urls: string[] }>, 'values' | 'set' | 'error' | 'leave'> }

export function UrlFields({ form }: UrlFieldsProps) {
  const { t } = useTranslation('config')
  const { urls } = form.values
  const change = (next: string[]) => form.set({ urls: next })
  const list = useRef<HTMLDivElement>(null)
  const focus = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[Math.max(0, index)]?.focus())
  const shown = urls.length > 0 ? urls : ['']
  return (
    <div role="group" aria-label={t('field.urls')}>
      <Input.Label component="div" required aria-hidden>
        {t('field.urls')}
      </Input.Label>
      <Input.Description>{t('hint.urls')}</Input.Description>
      <div ref={list} className={classes.list}>
        {shown.map((url, index) => (
          // An address has no name but its place.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={classes.row}>
            <TextInput
              aria-label={t('urlNumber', { number: index + 1 })}
              value={url}
              onChange={event => {
                const typed = event.currentTarget.value
                change(shown.map((other, at) => (at === index ? typed : other)))
              }}
              onBlur={() => form.leave(`urls.${index}`)}
              error={form.error(`urls.${index}`) ?? (urls.length === 0 ? form.error('urls') : undefined)}
              maxLength={253}
              placeholder="tyres.example.com"
              inputMode="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              className={classes.url}
              required
            />
            {shown.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('removeUrl', { number: index + 1 })}
                onClick={() => {
                  change(shown.filter((_, at) => at !== index))
                  focus(index - 1)
                }}
              >
                <IconX size={18} aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
      </div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => {
          change([...shown, ''])
          focus(shown.length)
        }}
      >
        {t('addUrl')}
      </Button>
    </div>
  )
}
