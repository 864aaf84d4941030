/** Whether the tyres of a recall or a storage will last, and the customer's decision (docs/product/tyres.md "Survival check"). */
import { Alert, Radio, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { asksForParts, type WornDecision } from '#domain/operations/operation.ts'
import { type Survival, survivalOf } from '#domain/tyres/survival.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import { useAnswer } from '../shared/api.ts'
import { formatDate, formatDepth } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { labelled } from '../i18n.ts'
import { useSite } from '../shared/session.ts'

/** A forecast changes with a reading, and with the day. */
const staleMs = 600_000
/** The most tyres of one forecast. */
const most = 50

type Asked = {
  type: OperationType
  tyres: readonly Pick<Tyre, 'db_id' | 'season' | 'profile_depth'>[]
  /** The day on which they come back. */
  deliveryDate: IsoDate | null
}

/** The forecast to show for these tyres; `null` while there is none. `enabled`: whether it is visible. */
export function useSurvival({ type, tyres, deliveryDate }: Asked, enabled = true): Survival | null {
  const { allowProfileDepth } = useSite()
  const today = useToday()
  const isAsked = enabled && allowProfileDepth && type !== 'to_waste' && tyres.length > 0
  const sample = tyres.slice(0, most)
  const { data } = useAnswer(
    calls.forecast,
    { tyres: sample.map(({ db_id }) => db_id).toSorted((a, b) => a - b) },
    { enabled: isAsked, staleTime: staleMs },
  )
  return isAsked && data ? survivalOf(sample, data, (type === 'to_customer' && deliveryDate) || today) : null
}

type NoteProps = {
  type: OperationType
  survival: Survival | null
  decision: WornDecision | null
  decide: (decision: WornDecision) => void
  disabled?: boolean
  /** The operation, where the screen may show several. */
  of?: string
}

export function SurvivalNote({ type, survival, decision, decide, disabled = false, of }: NoteProps) {
  const { t, i18n } = useTranslation('operations')
  if (!survival) return null
  const depth = (mm: number) => formatDepth(mm, i18n.language)
  const text =
    survival.kind === 'worn'
      ? t('survival.worn', { count: survival.tyres, depth: depth(survival.depth) })
      : t(`survival.${survival.kind}`, {
          count: survival.tyres,
          limit: depth(survival.limit),
          from: formatDate(survival.from),
          until: formatDate(survival.until),
        })
  const isStored = asksForParts(type)
  return (
    <Alert
      color={survival.kind === 'mayFall' ? 'yellow' : 'red'}
      icon={<IconAlertTriangle aria-hidden />}
      role="status"
      data-survival={survival.kind}
    >
      <Stack gap="xs">
        <span>
          {text} {isStored && survival.kind === 'worn' && t('survival.store')}
        </span>
        <Radio.Group
          aria-label={of === undefined ? t('survival.decide') : labelled(t('survival.decide'), of)}
          value={decision ?? 'keep'}
          onChange={value => decide(value as WornDecision)}
        >
          <Stack gap={6}>
            <Radio value="keep" disabled={disabled} label={t(isStored ? 'survival.keepIn' : 'survival.keepOut')} />
            <Radio value="quote" disabled={disabled} label={t(isStored ? 'survival.quoteIn' : 'survival.quoteOut')} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Alert>
  )
}
