/** An article that the catalogue does not have: its season and a description. */
import { Button, Collapse, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { Choice } from '../../ui/select.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { useSite } from '../../shared/session.ts'
import { type Season, seasons } from '#domain/tyres/tyre.ts'
import { type Chosen, unknownDescriptionMax } from '../diagram/adding.ts'
import classes from '../diagram/addTyres.module.css'

/** Only the seasons that the site has an article for. */
export function UnknownArticle({ choose }: { choose: (one: Chosen) => void }) {
  const { t } = useTranslation(['tyres', 'failures'])
  const site = useSite()
  const standIns = {
    winter: site.unknownWinterArticleId,
    summer: site.unknownSummerArticleId,
    all_season: site.unknownAllSeasonArticleId,
    snow: site.unknownSnowArticleId,
  } as const satisfies Record<Season, number | null>
  const [open, setOpen] = useState(false)
  const id = useId()
  const incomplete = t('failures:article.unknown_incomplete')
  const form = useForm({
    initial: { type: null as Season | null, description: '' },
    errors: ({ type, description }) => ({
      type: type === null ? incomplete : undefined,
      description: description.trim() === '' ? incomplete : undefined,
    }),
    errorsOnBlur: () => false,
  })
  const { type, description } = form.values
  const offered = seasons.filter(season => standIns[season] !== null)
  if (!site.allowUnknownArticle || offered.length === 0) return null

  function take() {
    if (!type) return
    const name = description.trim()
    choose({
      key: `unknown ${type} ${name}`,
      description: `${name} (${t(`tyres:season.${type}`)})`,
      unknown: { type, description: name },
    })
    form.set({ description: '' })
  }
  // The fields are marked; the text stands below both.
  const wrong = form.error('type') ?? form.error('description')
  return (
    <div className={classes.unknown}>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={classes.unknownOpener}
      >
        {t('tyres:add.unknown')}
      </Button>
      <Collapse expanded={open} id={id}>
        <div className={classes.unknownFields}>
          <Choice
            {...form.choice('type')}
            label={t('tyres:add.unknownType')}
            data={offered.map(season => ({ value: season, label: t(`tyres:season.${season}`) }))}
            error={form.error('type') !== undefined}
            required
          />
          <TextInput
            {...form.text('description')}
            label={t('tyres:add.unknownDescription')}
            onKeyDown={event => {
              if (event.key === 'Enter') form.submit(take)
            }}
            error={form.error('description') !== undefined}
            maxLength={unknownDescriptionMax}
            required
          />
          <Button variant="default" onClick={() => form.submit(take)}>
            {t('tyres:add.unknownTake')}
          </Button>
        </div>
        {wrong && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {wrong}
          </Text>
        )}
      </Collapse>
    </div>
  )
}
