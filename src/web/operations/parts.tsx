import { Checkbox, Group, Input, SegmentedControl } from '@mantine/core'
import { type Ref, useId } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { tachometer, type WheelParts } from '#domain/operations/operation.ts'
import { type Rim, rims } from '#domain/tyres/tyre.ts'
import type { Operation } from '#contract/wire.ts'
import { labelled } from '../i18n.ts'
import { useSite } from '../shared/session.ts'
import { NumberField, useComplaint } from '../ui/form/numberField.tsx'
import classes from './card.module.css'

/** Text in the tachometer field that can't be a reading; it is never saved. */
export type WrongTachometer = number | string | null

/** The parts that come in with tyres. */
export type PartsOfStorage = WheelParts & Pick<Operation, 'tachometer'>

type PartsProps = {
  shown: PartsOfStorage
  /** The values saved on the server. */
  saved: Pick<Operation, 'tachometer'>
  edits: {
    change: (parts: Partial<PartsOfStorage>) => void
    type: (parts: Partial<PartsOfStorage>) => void
    leave: (field: 'tachometer') => void
  }
  wrong: WrongTachometer
  setWrong: (typed: WrongTachometer) => void
  tachometerField: Ref<HTMLInputElement>
  /** The operation, where the screen may show several. */
  of?: string
  /** In as little room as a sheet has for it. */
  compact?: boolean
}

type WheelsProps = Pick<PartsProps, 'of'> & { shown: WheelParts; change: (parts: Partial<WheelParts>) => void }

/** Rims, bolts and hubcaps. */
export function PartsOfWheels({ shown, change, of }: WheelsProps) {
  const { t } = useTranslation(['operations', 'common'])
  const label = useId()
  const nameOf = (part: string) => (of === undefined ? part : labelled(part, of))
  return (
    <>
      <div className={classes.rims}>
        <Input.Label component="div" id={label}>
          {t('operations:rims')}
        </Input.Label>
        <SegmentedControl
          {...(of === undefined ? { 'aria-labelledby': label } : { 'aria-label': nameOf(t('operations:rims')) })}
          data={(['none', ...rims] as const).map(rim => ({ value: rim, label: t(`common:rims.${rim}`) }))}
          value={shown.withRims ?? 'none'}
          onChange={rim => change({ withRims: rim === 'none' ? null : (rim as Rim) })}
        />
      </div>
      <Group gap="lg" className={classes.checks}>
        <Checkbox
          label={t('operations:bolts')}
          aria-label={nameOf(t('operations:bolts'))}
          checked={shown.withBolts}
          onChange={event => change({ withBolts: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('operations:hubcaps')}
          aria-label={nameOf(t('operations:hubcaps'))}
          checked={shown.withHubcaps}
          onChange={event => change({ withHubcaps: event.currentTarget.checked })}
        />
      </Group>
    </>
  )
}

/** The parts that come in with the tyres of a storage: rims, bolts, hubcaps, and the tachometer where the site asks for it. */
export function Parts({ shown, saved, edits, wrong, setWrong, tachometerField, of, compact = false }: PartsProps) {
  const { t } = useTranslation('operations')
  const { allowTachometer } = useSite()
  const complaint = useComplaint()
  return (
    <div className={classes.parts} data-compact={compact || undefined}>
      <PartsOfWheels shown={shown} change={edits.change} {...(of !== undefined && { of })} />
      {allowTachometer && (
        <NumberField
          ref={tachometerField}
          label={t('tachometer')}
          value={wrong ?? shown.tachometer ?? ''}
          onChange={km => {
            const refused = complaint({ ...tachometer, value: km }) !== undefined
            setWrong(refused ? km : null)
            // a reading on the way to the wrong one must not be saved in its place
            edits.type({ tachometer: refused ? saved.tachometer : km === '' ? null : Number(km) })
          }}
          onBlur={() => edits.leave('tachometer')}
          onKeyDown={event => {
            if (event.key === 'Enter') edits.leave('tachometer')
          }}
          error={wrong !== null && complaint({ ...tachometer, value: wrong })}
          suffix=" km"
          className={classes.tachometer}
        />
      )}
    </div>
  )
}
