/** Asks where the tyres are that were not scanned, before their operation is confirmed (docs/product/operations.md "Missing tyres"). */
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, useMantineTheme } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { OperationTyre } from '#contract/wire.ts'
import { askCustom, useScannedAnswer } from '../ui/confirm.tsx'
import { FormButtons } from '../ui/form/form.tsx'
import { inPositionOrder } from '../vehicles/diagram/positionOrder.ts'
import classes from './missingQuestion.module.css'

/** How unscanned tyres are accounted for. `document`: whether one is made, where the site asks. */
export type MissingTyres = { here?: number[]; missing?: number[]; document?: boolean }

/** Where a tyre that was not scanned is. */
const places = ['here', 'missing'] as const
type Whereabouts = (typeof places)[number]

type Question = {
  title: string
  /** Whose operation it is. */
  about: ReactNode
  tyres: readonly OperationTyre[]
  /** The tyres declared missing before. */
  missing: readonly number[]
  /** Whether this account may confirm with tyres missing; else the desk does. */
  mayMiss: boolean
  /** The document that the site would insert, and the initial choice; `null` where the site doesn't ask. */
  document: { type: string; insert: boolean } | null
  onPutOff: () => void
}

/** `null`: the operation is not confirmed. */
export const askMissingTyres = (question: Question): Promise<MissingTyres | null> =>
  askCustom<MissingTyres | null>({
    title: question.title,
    size: '34rem',
    no: null,
    onPutOff: question.onPutOff,
    render: close => <MissingTyres {...question} close={close} />,
  })

/** The tyres that are to be asked about: not scanned, or scanned before they were missing. */
export const unaccounted = (tyres: readonly OperationTyre[], missing: readonly number[]) =>
  tyres.filter(tyre => !tyre.scanned || missing.includes(tyre.db_id))

function MissingTyres({
  about,
  tyres,
  missing: missingIds,
  mayMiss,
  document,
  close,
}: Question & { close: (reply: MissingTyres | null) => void }) {
  const { t } = useTranslation(['desk', 'common'])
  const theme = useMantineTheme()
  const unscanned = inPositionOrder(unaccounted(tyres, missingIds))
  const [chosen, setChosen] = useState<ReadonlyMap<number, Whereabouts>>(
    () => new Map(missingIds.map(tyre => [tyre, 'missing'])),
  )
  const [insert, setInsert] = useState(document?.insert ?? false)
  const idsAt = (place: Whereabouts) => unscanned.flatMap(({ db_id }) => (chosen.get(db_id) === place ? db_id : []))
  const [hereIds, lost] = [idsAt('here'), idsAt('missing')]
  const missing = lost.length
  const none = missing === tyres.length
  const open = unscanned.length - hereIds.length - missing
  const choose = (place: Whereabouts, which: readonly OperationTyre[]) =>
    setChosen(new Map([...chosen, ...which.map(tyre => [tyre.db_id, place] as const)]))
  const confirm = () =>
    close({
      ...(hereIds.length > 0 && { here: hereIds }),
      ...(missing > 0 && { missing: lost }),
      ...(document !== null && { document: insert }),
    })
  const byDesk = missing > 0 && !mayMiss
  const isComplete = open === 0 && !none && !byDesk
  useScannedAnswer(isComplete ? confirm : null)
  return (
    <Stack gap="sm">
      {about}
      <Text size="sm">
        {t('desk:whereabouts.text', { count: tyres.length - unscanned.length, total: tyres.length })}
      </Text>
      {unscanned.length > 1 && (
        <Group gap="xs">
          {places.map(place => (
            <Button key={place} size="compact-sm" variant="default" onClick={() => choose(place, unscanned)}>
              {t(`desk:whereabouts.all.${place}`)}
            </Button>
          ))}
        </Group>
      )}
      <ul className={classes.tyres}>
        {unscanned.map(tyre => (
          <li key={tyre.db_id}>
            <span className={classes.what}>
              <strong>{tyre.position}</strong> {tyre.description}
            </span>
            <SegmentedControl
              aria-label={t('desk:whereabouts.of', { position: tyre.position, tyre: tyre.db_id })}
              color={theme.primaryColor}
              classNames={{ root: classes.where, label: classes.place }}
              value={chosen.get(tyre.db_id) ?? ''}
              onChange={value => choose(value === 'here' ? 'here' : 'missing', [tyre])}
              data={places.map(value => ({ value, label: t(`desk:whereabouts.${value}`) }))}
            />
          </li>
        ))}
      </ul>
      {missing > 0 && (
        <Text size="sm" role="status">
          {byDesk
            ? t('desk:deskFinishes')
            : none
              ? t('desk:whereabouts.none')
              : t('desk:whereabouts.then', { count: missing })}
        </Text>
      )}
      {document !== null && (
        <Checkbox
          checked={insert}
          onChange={event => setInsert(event.currentTarget.checked)}
          label={t('desk:whereabouts.document', { type: document.type })}
        />
      )}
      <FormButtons>
        <Text size="sm" className={classes.open} role="status">
          {open > 0 && t('desk:whereabouts.open', { count: open })}
        </Text>
        <Button variant="default" onClick={() => close(null)} data-autofocus>
          {t('desk:goBack')}
        </Button>
        <Button disabled={!isComplete} onClick={confirm}>
          {t('desk:whereabouts.confirm')}
        </Button>
      </FormButtons>
    </Stack>
  )
}
