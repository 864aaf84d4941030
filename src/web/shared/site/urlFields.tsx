/** The addresses of a site, at least one (SPEC §5 "each URL entry required"). */
import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './urlFields.module.css'

type UrlFieldsProps = {
  urls: readonly string[]
  onChange: (urls: string[]) => void
  /** What is wrong with the address at a place. */
  said: (index: number) => string | undefined
  leave: (index: number) => void
}

export function UrlFields({ urls, onChange, said, leave }: UrlFieldsProps) {
  const { t } = useTranslation('config')
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
                onChange(shown.map((other, at) => (at === index ? typed : other)))
              }}
              onBlur={() => leave(index)}
              error={said(index)}
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
                  onChange(shown.filter((_, at) => at !== index))
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
          onChange([...shown, ''])
          focus(shown.length)
        }}
      >
        {t('addUrl')}
      </Button>
    </div>
  )
}
