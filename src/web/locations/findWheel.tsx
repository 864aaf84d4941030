/** Finds a wheel by its plate, number or article; its card opens (docs/product/accounts.md "Accounts of the warehouse"). */
import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { scanFeed } from '../scanning/scanFeed.ts'
import { Screen } from '../shared/screen.tsx'
import classes from './jobs.module.css'

export function FindWheel() {
  const { t } = useTranslation(['cards', 'nav'])
  const [words, setWords] = useState('')
  return (
    <Screen title={t('nav:find')}>
      <form
        role="search"
        className={classes.find}
        onSubmit={event => {
          event.preventDefault()
          if (words.trim() !== '') scanFeed.find(words)
        }}
      >
        <TextInput
          size="lg"
          label={t('cards:findLabel')}
          description={t('cards:hint')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={words}
          onChange={event => setWords(event.currentTarget.value)}
        />
        <Button type="submit" size="md" mt="sm" leftSection={<IconSearch size={20} aria-hidden />}>
          {t('nav:find')}
        </Button>
      </form>
    </Screen>
  )
}
