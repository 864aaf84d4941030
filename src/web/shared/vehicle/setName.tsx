/** Gives tyres of a vehicle another set (SPEC §5 "Set name change"). */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { takenPositions } from '#domain/tyreSet.ts'
import { messageOf, Refused, useCall } from '../api.ts'
import { type DialogControls, useEntered } from '../../ui/form/formDialog.tsx'
import { isReserved, setNameMax } from './adding.ts'

type SetNameProps = { vehicle: Vehicle; tyres: readonly Tyre[]; dialog: DialogControls }

export function SetName({ vehicle, tyres, dialog }: SetNameProps) {
  const { t } = useTranslation(['fleet', 'failures', 'vehicle', 'common'])
  const change = useCall(calls.changeset, { doing: 'fleet:changingSet', done: 'fleet:setChanged' })
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const name = typed.trim()
  const reserved = isReserved(name)
  useEntered(name !== '', dialog.setDirty)
  // The rule is the server's, too; asked here so that the warning stands before anybody has sent anything.
  const taken = takenPositions(
    tyres,
    vehicle.tyres.filter(tyre => tyre.tyre_set === name),
  )
  const names = [...new Set(vehicle.tyres.flatMap(tyre => tyre.tyre_set ?? []))]
  // Somebody else has named a set meanwhile: the server's refusal is about a name, and goes when another is typed.
  const refused = change.error && change.variables?.tyre_set === name ? change.error : null
  const warning =
    name !== '' && taken.length > 0
      ? t('failures:set.positions_taken', { positions: taken.join(', ') })
      : refused instanceof Refused && refused.code === 'set.positions_taken'
        ? messageOf(refused)
        : null

  async function send(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (change.isPending || name === '' || reserved || taken.length > 0) return
    try {
      await change.mutateAsync({ tyres: tyres.map(tyre => tyre.db_id), tyre_set: name })
      dialog.close()
    } catch {
      // Told in a toast; what was typed stays.
    }
  }
  return (
    <form onSubmit={event => void send(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t('fleet:setNameFor', { count: tyres.length, positions: positionsIn(tyres) })}</Text>
        <TextInput
          label={t('fleet:setName')}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          maxLength={setNameMax}
          error={
            reserved ? t('fleet:setNameReserved', { name }) : tried && name === '' ? t('vehicle:required') : undefined
          }
          autoComplete="off"
          required
          data-autofocus
        />
        {names.length > 0 && (
          <Group gap={6} role="group" aria-label={t('fleet:existingSets')}>
            {names.map(existing => (
              <Button key={existing} size="compact-xs" variant="default" onClick={() => setTyped(existing)}>
                {existing}
              </Button>
            ))}
          </Group>
        )}
        {warning && (
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {warning}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.cancel}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={taken.length > 0 && name !== ''}>
            {t('fleet:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The positions of tyres, each once, as they are named in a sentence. */
export const positionsIn = (tyres: readonly { position: string }[]): string =>
  [...new Set(tyres.map(tyre => tyre.position))].join(', ')
