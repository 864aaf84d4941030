/** The fields of one site as one form, and further settings that are saved one by one. */
import { Alert, Button, Group, Paper, Text, Title, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconDeviceFloppy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { Form } from '../ui/form/form.tsx'
import { Choice } from '../ui/select.tsx'
import { useNarrow } from '../ui/usePhone.ts'
import classes from './config.module.css'
import { type EditedSite, type Editing, EditingContext, useEditing, useSiteEditing } from './editing.ts'
import { Images } from './images.tsx'
import { Documents, Extra, Intake, Invoicing, SignIn, Site, Tyres, UnknownArticles } from './parts.tsx'
import { type Field, type Section, sectionOf, sectionsFor } from './siteForm.ts'

const parts = {
  site: Site,
  signIn: SignIn,
  extra: Extra,
  images: Images,
  tyres: Tyres,
  unknown: UnknownArticles,
  invoicing: Invoicing,
  documents: Documents,
  intake: Intake,
} as const satisfies Record<Section, (props: { site: EditedSite }) => ReactNode>

type ConfigFormProps = {
  site: EditedSite
  /** Further settings of the site, below the form. */
  beneath?: readonly { id: string; title: string; text?: string; content: ReactNode }[]
}

/** Whether a dialog is open: Ctrl+S would save the form behind it, without the dialog's input. */
const covered = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null

export function ConfigForm({ site, beneath = [] }: ConfigFormProps) {
  const { t } = useTranslation('config')
  const editing = useSiteEditing(site)
  const { unsaved, form, save } = editing
  useUnsavedGuard(unsaved.length > 0, t('leaveText'))

  useHotkeys([['mod+S', () => unsaved.length > 0 && !covered() && form.submit(save)]], [])

  const shown = sectionsFor(form.values, site.superuser)
  const titles = [...shown.map(section => ({ id: section as string, title: t(`section.${section}`) })), ...beneath]
  return (
    <EditingContext value={editing}>
      <div className={classes.layout}>
        <SectionNav titles={titles} editing={editing} />
        <div className={classes.content}>
          <Form form={form} onSubmit={save}>
            {editing.conflicts.length > 0 && <Conflict />}
            {shown.map(section => {
              const Part = parts[section]
              return (
                <Frame key={section} id={section} title={t(`section.${section}`)} text={t(`sectionHint.${section}`)}>
                  <Part site={site} />
                </Frame>
              )
            })}
            <SaveBar />
          </Form>
          {beneath.map(({ content, ...frame }) => (
            <Frame key={frame.id} {...frame}>
              {content}
            </Frame>
          ))}
        </div>
      </div>
    </EditingContext>
  )
}

function Frame({ id, title, text, children }: { id: string; title: string; text?: string; children: ReactNode }) {
  return (
    <Paper component="section" className={classes.section} id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <Title order={2} id={`${id}-title`} {...(!text && { mb: 'sm' })}>
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed" mb="md">
          {text}
        </Text>
      )}
      {children}
    </Paper>
  )
}

/**
 * Which of these sections is at the top of the window, or below the list of them where that covers the top; at the end of the page the one
 * that was gone to, else the last. And the way to one.
 */
function useSectionInView(ids: readonly string[], isCovered: boolean) {
  const [here, setHere] = useState(ids[0])
  const [goal, setGoal] = useState<string>()
  const [atEnd, setAtEnd] = useState(false)
  useEffect(() => {
    const look = () => {
      const end = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1
      setAtEnd(end)
      if (!end) setGoal(undefined)
    }
    addEventListener('scrollend', look)
    return () => removeEventListener('scrollend', look)
  }, [])
  const key = ids.join()
  useEffect(() => {
    const seen = new Set<string>()
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id)
          else seen.delete(target.id)
        }
        const first = key.split(',').find(id => seen.has(id))
        if (first) setHere(first)
      },
      // farther down than where a section stops when it is scrolled to: config.module.css
      { rootMargin: `${isCovered ? '-136px' : '-10%'} 0px -55% 0px` },
    )
    for (const id of key.split(',')) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [key, isCovered])
  return {
    here: atEnd ? (goal ?? ids.at(-1)) : here,
    goTo(id: string) {
      setGoal(id)
      bringToTop(id)
    },
  }
}

/** The parts that hold these fields. */
const sectionsWith = (paths: readonly string[]) =>
  new Set<string>(paths.map(path => sectionOf[path.split('.')[0] as Field]))

/** Brings a section to the top of the window, with the focus on it. */
function bringToTop(id: string) {
  const section = document.getElementById(id)
  section?.focus({ preventScroll: true })
  section?.scrollIntoView()
}

type SectionNavProps = { titles: readonly { id: string; title: string }[]; editing: Editing }

function SectionNav({ titles, editing }: SectionNavProps) {
  const { t } = useTranslation('config')
  const narrow = useNarrow()
  const { here, goTo: go } = useSectionInView(
    titles.map(({ id }) => id),
    narrow,
  )
  const unsaved = sectionsWith(editing.unsaved)
  const wrong = editing.form.tried ? sectionsWith(Object.keys(editing.form.errors)) : new Set<string>()

  const markOf = (id: string) =>
    wrong.has(id) ? (
      <IconAlertTriangle size={16} className={classes.wrong} role="img" aria-label={t('hasErrors')} />
    ) : (
      unsaved.has(id) && <span className={classes.dot} role="img" aria-label={t('notSaved')} />
    )

  if (narrow)
    return (
      <nav className={classes.nav} aria-label={t('sections')}>
        <Choice
          aria-label={t('sections')}
          data={titles.map(({ id, title }) => ({ value: id, label: title }))}
          value={here ?? null}
          // also the one in view, whose head may be far above
          onOptionSubmit={go}
          renderOption={({ option: { value, label } }) => (
            <span className={classes.navOption}>
              <span>{label}</span>
              {markOf(value)}
            </span>
          )}
        />
      </nav>
    )
  return (
    <nav className={classes.nav} aria-label={t('sections')}>
      <ul>
        {titles.map(({ id, title }) => (
          <li key={id}>
            <UnstyledButton
              className={classes.navEntry}
              data-here={here === id || undefined}
              aria-current={here === id ? 'true' : undefined}
              onClick={() => go(id)}
            >
              <span>{title}</span>
              {markOf(id)}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </nav>
  )
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

function SaveBar() {
  const { t } = useTranslation('config')
  const { unsaved, form, conflicts, discard } = useEditing()
  const wrong = form.tried ? Object.keys(form.errors).length : 0
  return (
    <div className={classes.bar} data-unsaved={unsaved.length > 0 || undefined}>
      {/* On this side, where no toast of a refusal lies over them. */}
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={discard} {...ariaDisabledWhen(unsaved.length === 0 || form.busy)}>
          {t('discard')}
        </Button>
        <Button
          type="submit"
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          loading={form.busy}
          {...ariaDisabledWhen(unsaved.length === 0 || conflicts.length > 0)}
        >
          {t('save')}
        </Button>
      </Group>
      <Text size="sm" className={classes.barText} role="status">
        {unsaved.length === 0 ? (
          <>
            <IconCheck size={16} aria-hidden /> {t('allSaved')}
          </>
        ) : (
          <>
            {wrong > 0 && <span className={classes.wrong}>{t('wrongFields', { count: wrong })} </span>}
            <strong>{t('unsaved')}</strong> {unsaved.map(field => t(`field.${field}`)).join(', ')}
          </>
        )}
      </Text>
    </div>
  )
}
