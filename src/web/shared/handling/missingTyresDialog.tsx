/** Asks where the tyres are that were not scanned, before their operation is confirmed (docs/product.md "Missing tyres"). */
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, useMantineTheme } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { OperationTyre } from '#contract/wire.ts'
import { askCustom } from '../../ui/confirm.tsx'
import { FormButtons } from '../../ui/form/form.tsx'
import { inPositionOrder } from '../vehicle/positionOrder.ts'
import classes from './missingQuestion.module.css'

/** What is known of the tyres that were not scanned. `document`: whether one is made, where the site asks. */
export type MissingTyres = { here?: number[]; anyway?: true; document?: boolean }

type Question = {
  title: string
  /** Whose operation it is. */
  about: ReactNode
  tyres: readonly OperationTyre[]
  /** What the site would insert; `null` where it asks nothing. */
  document: string | null
}

/** `null`: the operation is not confirmed. */
export const askMissingTyres = (question: Question): Promise<MissingTyres | null> =>
  askCustom<MissingTyres | null>({
    title: question.title,
    size: '34rem',
    no: null,
    render: close => <MissingTyres {...question} close={close} />,
  })

const places = ['here', 'missing'] as const
type Place = (typeof places)[number]

function MissingTyres({ about, tyres, document, close }: Question & { close: (reply: MissingTyres | null) => void }) {
  const { t } = useTranslation(['admin', 'common'])
  const theme = useMantineTheme()
  const unscanned = inPositionOrder(tyres.filter(tyre => !tyre.scanned))
  const [chosen, setChosen] = useState<ReadonlyMap<number, Place>>(new Map())
  const [insert, setInsert] = useState(true)
  const missing = unscanned.filter(tyre => chosen.get(tyre.db_id) === 'missing').length
  const none = missing === tyres.length
  const open = unscanned.length - chosen.size
  const choose = (place: Place, which: readonly OperationTyre[]) =>
    setChosen(new Map([...chosen, ...which.map(tyre => [tyre.db_id, place] as const)]))
  const found = unscanned.filter(tyre => chosen.get(tyre.db_id) === 'here').map(tyre => tyre.db_id)
  const confirm = () =>
    close({
      ...(found.length > 0 && { here: found }),
      ...(missing > 0 && { anyway: true }),
      ...(document !== null && { document: insert }),
    })
  return (
    <Stack gap="sm">
      {about}
      <Text size="sm">
        {t('admin:whereabouts.text', { count: tyres.length - unscanned.length, total: tyres.length })}
      </Text>
      {unscanned.length > 1 && (
        <Group gap="xs">
          {places.map(place => (
            <Button key={place} size="compact-sm" variant="default" onClick={() => choose(place, unscanned)}>
              {t(`admin:whereabouts.all.${place}`)}
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
              aria-label={t('admin:whereabouts.of', { position: tyre.position })}
              color={theme.primaryColor}
              classNames={{ root: classes.where, label: classes.place }}
              value={chosen.get(tyre.db_id) ?? ''}
              onChange={value => choose(value === 'here' ? 'here' : 'missing', [tyre])}
              data={places.map(value => ({ value, label: t(`admin:whereabouts.${value}`) }))}
            />
          </li>
        ))}
      </ul>
      {missing > 0 && (
        <Text size="sm" role="status">
          {none ? t('admin:whereabouts.none') : t('admin:whereabouts.then', { count: missing })}
        </Text>
      )}
      {document !== null && (
        <Checkbox
          checked={insert}
          onChange={event => setInsert(event.currentTarget.checked)}
          label={t('admin:whereabouts.document', { type: document })}
        />
      )}
      <FormButtons>
        <Text size="sm" className={classes.open} role="status">
          {open > 0 && t('admin:whereabouts.open', { count: open })}
        </Text>
        <Button variant="default" onClick={() => close(null)} data-autofocus>
          {t('admin:goBack')}
        </Button>
        <Button disabled={open > 0 || none} onClick={confirm}>
          {t('admin:whereabouts.confirm')}
        </Button>
      </FormButtons>
    </Stack>
  )
}
