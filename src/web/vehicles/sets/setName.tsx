/** Gives tyres of a vehicle another set. */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { isReservedSetName, isSameSet, takenPositions } from '#domain/tyres/tyreSet.ts'
import { messageOf, useCall } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { Form, FormActions } from '../../ui/form/form.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { useUndoable } from '../../shared/undo/undo.ts'
import { setNameMax } from '../diagram/adding.ts'
import { positionsIn } from '../diagram/positionOrder.ts'

type SetNameProps = { vehicle: Vehicle; tyres: readonly Tyre[]; dialog: DialogControls }

export function SetName({ vehicle, tyres, dialog }: SetNameProps) {
  const { t } = useTranslation(['fleet', 'failures', 'vehicles', 'common'])
  const undoable = useUndoable()
  const change = useCall(calls.changeset, {
    doing: 'fleet:changingSet',
    done: 'fleet:setChanged',
    offer: answered => {
      const moved = new Map(answered.map(tyre => [tyre.db_id, tyre.tyre_set]))
      const [set] = moved.values()
      const former = tyres.filter(tyre => !isSameSet(tyre.tyre_set, moved.get(tyre.db_id) ?? null))
      // only the spelling, or nothing at all
      if (former.length === 0 || !set) return undefined
      return undoable('set', {
        plate: vehicle.license_plate,
        set,
        tyres: former.map(({ db_id, tyre_set }) => ({ db_id, tyre_set })),
      })
    },
  })
  const form = useContractForm({
    initial: { name: '' },
    input: ({ name }) => ({ tyres: tyres.map(tyre => tyre.db_id), tyre_set: name.trim() }),
    rules: ({ name }) => ({ name: name.trim() === '' ? t('vehicles:required') : undefined }),
    errorsOnBlur: () => false,
    liveErrors: ({ name }) => ({
      name: isReservedSetName(name) ? t('fleet:setNameReserved', { name: name.trim() }) : undefined,
      // Shown below the field, as a warning.
      positions: takenWith(name.trim()),
    }),
    dialog,
  })
  // The rule is the server's, too; asked here so that the warning stands before anybody has sent anything.
  function takenWith(set: string): string | undefined {
    const taken = takenPositions(
      tyres,
      vehicle.tyres.filter(tyre => isSameSet(tyre.tyre_set, set)),
    )
    return set !== '' && taken.length > 0
      ? t('failures:set.positions_taken', { positions: taken.join(', ') })
      : undefined
  }
  const names = [...new Set(vehicle.tyres.flatMap(tyre => tyre.tyre_set ?? []))]
  const taken = form.error('positions')
  // Another user has named a set meanwhile: the server's refusal is about a name, and goes when another is typed.
  const isTaken = form.refused?.code === 'set.positions_taken' && form.isAsRefused('tyre_set')
  const warning = taken ?? (isTaken ? messageOf(form.refused) : undefined)

  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await change.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          {t('fleet:setNameFor', {
            count: tyres.length,
            positions: positionsIn(tyres, vehicle.tyres, t('common:tyre.setless')),
          })}
        </Text>
        <TextInput {...form.text('name')} label={t('fleet:setName')} maxLength={setNameMax} required data-autofocus />
        {names.length > 0 && (
          <Group gap={6} role="group" aria-label={t('fleet:existingSets')}>
            {names.map(existing => (
              <Button key={existing} size="compact-xs" variant="default" onClick={() => form.set({ name: existing })}>
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
        <FormActions form={form} dialog={dialog} submit={t('fleet:save')} disabled={taken !== undefined} />
      </Stack>
    </Form>
  )
}
