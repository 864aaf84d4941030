/** The customer's own tab: the vehicles, and the way to add one (docs/product/vehicles.md "Fleet management"). */
import { Button, Group } from '@mantine/core'
import { IconArrowsExchange, IconPlus } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { isHotel } from '#domain/site.ts'
import { useFleet, useSite } from '../../shared/session.ts'
import { useSwitchCustomer } from '../../customers/switch.ts'
import { FilterField } from '../../ui/filterField.tsx'
import { FormDialog } from '../../ui/form/formDialog.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Failed } from '../../shared/screen.tsx'
import { ListLine } from '../../ui/listLine.tsx'
import { NewVehicle } from '../newVehicle.tsx'
import { type ListView, VehicleTable } from '../vehicleTable.tsx'
import classes from './management.module.css'

export function CustomerFleet({ open }: { open: (id: number) => void }) {
  const { t } = useTranslation(['fleet', 'fleetmanagement'])
  const { mode } = useSite()
  const fleet = useFleet()
  const exchange = useSwitchCustomer()
  const [view, setView] = useState<ListView>({ filter: '', by: 'plate', desc: false, page: 1 })
  const [adding, setAdding] = useState(false)
  const change = useCallback((next: Partial<ListView>) => setView(before => ({ ...before, ...next })), [])
  return (
    <>
      <Group gap="xs" justify="flex-end" mb="sm">
        {/* On a phone the bar above is as near. */}
        <Button
          variant="default"
          visibleFrom="sm"
          leftSection={<IconArrowsExchange size={18} aria-hidden />}
          onClick={() => void exchange(null)}
        >
          {t('fleetmanagement:change')}
        </Button>
        <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {t('fleet:newVehicle')}
        </Button>
        {isHotel(mode) && (
          <LinkButton to="/wizard/step1" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('fleet:newOperation')}
          </LinkButton>
        )}
      </Group>
      {!fleet.data && fleet.isError ? (
        <Failed error={fleet.error} retry={fleet.refetch} />
      ) : (
        <VehicleTable
          vehicles={fleet.data}
          view={view}
          change={change}
          renderLine={listed => (
            <ListLine
              search={
                <FilterField
                  label={t('fleet:filterLabel')}
                  placeholder={t(mode === 'hotelonly' ? 'fleet:filterHotel' : 'fleet:filter')}
                  short={t('fleet:filterShort')}
                  value={view.filter}
                  settle={filter => change({ filter, page: 1 })}
                  className={classes.filter}
                />
              }
              {...listed}
            />
          )}
        />
      )}
      <FormDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={t('fleet:newVehicle')}
        size="72rem"
        long
        lost={t('fleet:newVehicleLost')}
      >
        {dialog => (
          <NewVehicle
            plate=""
            submit={t('fleet:addVehicle')}
            onAdded={({ flt_id }) => {
              setAdding(false)
              open(flt_id)
            }}
            dialog={dialog}
          >
            <Button variant="default" onClick={dialog.cancel}>
              {t('fleet:cancel')}
            </Button>
          </NewVehicle>
        )}
      </FormDialog>
    </>
  )
}
