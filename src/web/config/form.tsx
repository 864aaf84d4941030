/** The settings of a site: a list of their pages with a search, or one page. The fields of all pages are one form, saved together. */
import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconDeviceFloppy } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import type { SettingsPage } from '../searchParams.ts'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { Form } from '../ui/form/form.tsx'
import { TextLink } from '../ui/link.tsx'
import classes from './config.module.css'
import { type EditedSite, EditingContext, useEditing, useSiteEditing } from './editing.ts'
import { isField, pagesFor, pagesWith, type Section } from './pages.ts'
import { contents, useSectionWords } from './sections.tsx'
import { SettingsList } from './settingsList.tsx'
import { type Field, sectionOf } from './siteForm.ts'
import { settingsAddress } from './settingsAddress.ts'

/** Whether a dialog is open: Ctrl+S would save the form behind it, without the dialog's input. */
const covered = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

/** Input stays while another page is opened. */
export function Settings({ site, page }: { site: EditedSite; page: SettingsPage | undefined }) {
  const { t } = useTranslation('config')
  const editing = useSiteEditing(site)
  const { unsaved, form, save } = editing
  useUnsavedGuard(unsaved.length > 0, t('leaveText'))
  useHotkeys([['mod+S', () => unsaved.length > 0 && !covered() && form.submit(save)]], [])

  const pages = pagesFor(form.values.mode, site.superuser)
  const open = pages.find(candidate => candidate.page === page)
  const fields = open?.sections.filter(isField) ?? []
  return (
    <EditingContext value={editing}>
      {open ? (
        <div className={classes.content}>
          <Form form={form} onSubmit={save}>
            {editing.conflicts.length > 0 && <Conflict />}
            {fields.map(section => (
              <Frame key={section} section={section} site={site} />
            ))}
            {(fields.length > 0 || unsaved.length > 0) && <SaveBar site={site} page={open.page} />}
          </Form>
          {open.sections
            .filter(section => !isField(section))
            .map(section => (
              <Frame key={section} section={section} site={site} />
            ))}
          <ToHash key={open.page} />
        </div>
      ) : (
        <SettingsList site={site} pages={pages} />
      )}
    </EditingContext>
  )
}

function Frame({ section, site }: { section: Section; site: EditedSite }) {
  const { title, text } = useSectionWords()(section)
  const Content = contents[section]
  return (
    <Paper
      component="section"
      className={classes.section}
      id={section}
      tabIndex={-1}
      aria-labelledby={`${section}-title`}
    >
      <Title order={2} id={`${section}-title`} {...(!text && { mb: 'sm' })}>
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed" mb="md">
          {text}
        </Text>
      )}
      <Content site={site} />
    </Paper>
  )
}

/** Brings the section or the field that the address ends with to the top of the window, with the focus on it. */
function ToHash() {
  const hash = useLocation({ select: location => location.hash })
  useEffect(() => {
    if (hash === '') return
    const field = document.getElementById(`field-${hash}`)
    const section = document.getElementById(sectionOf[hash as Field] ?? hash)
    section?.scrollIntoView()
    const goal = field?.checkVisibility() ? field : section
    goal?.focus({ preventScroll: goal === section })
  }, [hash])
  return null
}

/** Another user has saved: the user decides. Until then all input is kept. */
function Conflict() {
  const { t } = useTranslation('config')
  const { conflicts, keepMine, takeTheirs } = useEditing()
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('conflict')}
      role="alert"
      className={classes.conflict}
    >
      <Text size="sm">{t('conflictText', { fields: conflicts.map(field => t(`field.${field}`)).join(', ') })}</Text>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={keepMine}>
          {t('keepMine')}
        </Button>
        <Button size="xs" variant="default" onClick={takeTheirs}>
          {t('takeTheirs')}
        </Button>
      </Group>
    </Alert>
  )
}

function SaveBar({ site, page }: { site: EditedSite; page: SettingsPage }) {
  const { t } = useTranslation(['config', 'nav'])
  const { unsaved, form, conflicts, discard } = useEditing()
  const addressOf = settingsAddress(site)
  const wrong = form.tried ? Object.keys(form.errors) : []
  const elsewhere = [...pagesWith(wrong)].filter(other => other !== page)
  return (
    <div className={classes.bar} data-unsaved={unsaved.length > 0 || undefined}>
      {/* On this side, where no toast of a refusal lies over them. */}
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={discard} {...ariaDisabledWhen(unsaved.length === 0 || form.busy)}>
          {t('config:discard')}
        </Button>
        <Button
          type="submit"
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          loading={form.busy}
          {...ariaDisabledWhen(unsaved.length === 0 || conflicts.length > 0)}
        >
          {t('config:save')}
        </Button>
      </Group>
      <Text size="sm" className={classes.barText} role="status">
        {unsaved.length === 0 ? (
          <>
            <IconCheck size={16} aria-hidden /> {t('config:allSaved')}
          </>
        ) : (
          <>
            {wrong.length > 0 && (
              <span className={classes.wrong}>{t('config:wrongFields', { count: wrong.length })} </span>
            )}
            {elsewhere.map(other => (
              <TextLink key={other} {...addressOf(other)} me="xs">
                {t(`nav:settingsPage.${other}`)}
              </TextLink>
            ))}
            <strong>{t('config:unsaved')}</strong> {unsaved.map(field => t(`config:field.${field}`)).join(', ')}
          </>
        )}
      </Text>
    </div>
  )
}
