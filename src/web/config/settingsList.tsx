/** The pages of the settings, and a search for any of them. */
import { SimpleGrid, Text, TextInput } from '@mantine/core'
import {
  IconAlertTriangle,
  IconHistory,
  IconSearch,
  IconTableImport,
  IconTags,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { folded } from '#domain/texts/folded.ts'
import type { SettingsPage } from '../searchParams.ts'
import { Empty } from '../ui/emptyStates.tsx'
import { useTranslation } from '../ui/texts.ts'
import { type EditedSite, useEditing } from './editing.ts'
import { fieldsIn, pages as allPages, pagesWith, type Section } from './pages.ts'
import { useSectionWords } from './sections.tsx'
import { settingsAddress } from './settingsAddress.ts'
import classes from './settingsList.module.css'

type Entry = { key: string; icon: TablerIcon; title: string; text: string; to: LinkProps; page?: SettingsPage }
type Hit = { key: string; title: string; text: string; to: LinkProps; words: string }

type SettingsListProps = { site: EditedSite; pages: readonly { page: SettingsPage; sections: readonly Section[] }[] }

export function SettingsList({ site, pages }: SettingsListProps) {
  const { t } = useTranslation(['config', 'nav'])
  const [typed, setTyped] = useState('')
  const wordsOf = useSectionWords()
  const addressOf = settingsAddress(site)
  const ofPages: Entry[] = pages.map(({ page, sections }) => ({
    key: page,
    icon: allPages[page].icon,
    title: t(`nav:settingsPage.${page}`),
    text: sections.map(section => wordsOf(section).title).join(' · '),
    to: addressOf(page),
    page,
  }))
  const screens: Entry[] = site.superuser
    ? []
    : (['articles', 'imports', 'log'] as const).map(name => ({
        key: name,
        ...screensOf[name],
        title: t(`nav:${screensOf[name].text}`),
        text: t(`config:screenHint.${name}`),
        to: { to: screensOf[name].to },
      }))
  const entries = [...ofPages, ...screens].toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
  const wanted = folded(typed).split(/\s+/).filter(Boolean)
  const hits: Hit[] = [
    ...entries.map(({ title, text, ...entry }) => ({ ...entry, title, text, words: title })),
    ...pages.flatMap(({ page, sections }) =>
      sections.flatMap(section => {
        const { title, text = '' } = wordsOf(section)
        const where = t(`nav:settingsPage.${page}`)
        return [
          { key: section, title, text: where, to: addressOf(page, section), words: `${title} ${text}` },
          ...fieldsIn(section).map(field => ({
            key: `${section} ${field}`,
            title: t(`config:field.${field}`),
            text: `${where} · ${title}`,
            to: addressOf(page, field),
            words: `${t(`config:field.${field}`)} ${title}`,
          })),
        ]
      }),
    ),
  ].filter(({ words }) => wanted.every(word => folded(words).includes(word)))
  return (
    <>
      <TextInput
        type="search"
        label={t('config:find')}
        placeholder={t('config:findExample')}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        className={classes.find}
      />
      {wanted.length === 0 ? (
        <SimpleGrid component="ul" cols={{ base: 1, xs: 2, lg: 3 }} spacing="md" className={classes.list}>
          {entries.map(entry => (
            <li key={entry.key}>
              <Card entry={entry} />
            </li>
          ))}
        </SimpleGrid>
      ) : hits.length === 0 ? (
        <Empty text={t('config:nothingFound')} icon={IconSearch} />
      ) : (
        <ul className={classes.hits}>
          {hits.map(({ key, title, text, to }) => (
            <li key={key}>
              <Link {...to} className={classes.hit}>
                <strong>{title}</strong>
                <Text component="span" size="sm" c="dimmed">
                  {text}
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Screens of their own that belong to the settings. */
const screensOf = {
  articles: { to: '/admin/articles', text: 'articles', icon: IconTags },
  imports: { to: '/admin/import', text: 'imports', icon: IconTableImport },
  log: { to: '/admin/audit', text: 'settingsPage.log', icon: IconHistory },
} as const
const order = ['company', 'services', 'transport', 'vehicles', 'articles', 'imports', 'team', 'developers', 'log']

function Card({ entry: { icon: Icon, title, text, to, page } }: { entry: Entry }) {
  const { t } = useTranslation('config')
  const { unsaved, form } = useEditing()
  const isIn = (fields: readonly string[]) => page !== undefined && pagesWith(fields).has(page)
  return (
    <Link {...to} className={classes.card}>
      <Icon size={24} stroke={1.6} aria-hidden />
      <span>
        <span className={classes.title}>
          {title}
          {form.tried && isIn(Object.keys(form.errors)) ? (
            <IconAlertTriangle size={16} className={classes.wrong} role="img" aria-label={t('hasErrors')} />
          ) : (
            isIn(unsaved) && <span className={classes.dot} role="img" aria-label={t('notSaved')} />
          )}
        </span>
        <span className={classes.text}>{text}</span>
      </span>
    </Link>
  )
}
