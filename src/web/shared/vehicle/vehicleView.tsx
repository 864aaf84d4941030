/** A vehicle, complete: what it is, what is where on it, its data, its history. */
import { Alert, Button, Group, Paper, Tabs } from '@mantine/core'
import { IconAlertTriangle, IconClipboardPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatPlate } from '#domain/plate.ts'
import { isHotel } from '#domain/site.ts'
import { Refused, useCall } from '../api.ts'
import { useSite } from '../session.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import { OtherCustomer } from '../customer/otherCustomer.tsx'
import { LinkButton, TextLink } from '../../ui/link.tsx'
import { useUnsavedGuard } from '../unsaved.ts'
import type { VehicleEdits } from './form.ts'
import { type VehicleTab, vehicleTabs } from './tabs.ts'
import { VehicleData } from './vehicleData.tsx'
import { VehicleHistory } from './vehicleHistory.tsx'
import { VehicleLine } from './vehicleLine.tsx'
import { VehicleTyres } from './vehicleTyres.tsx'
import classes from './vehicleView.module.css'

type VehicleViewProps = {
  vehicle: Vehicle
  tab: VehicleTab
  setTab: (tab: VehicleTab) => void
  onRemoved: () => void
  /** What was typed and is not saved, where the screen around keeps it and asks before it is lost. */
  kept?: Unsaved
}
type Unsaved = {
  edits: VehicleEdits | null
  setEdits: (change: (edits: VehicleEdits | null) => VehicleEdits | null) => void
}

export function VehicleView({ vehicle, tab, setTab, onRemoved, kept }: VehicleViewProps) {
  const { t } = useTranslation('fleet')
  const { mode } = useSite()
  const [ownEdits, setOwnEdits] = useState<VehicleEdits | null>(null)
  const { edits, setEdits }: Unsaved = kept ?? { edits: ownEdits, setEdits: setOwnEdits }
  const remove = useCall(calls.inactivate, { doing: 'fleet:removing', done: 'fleet:removed' })
  useUnsavedGuard(!kept && edits !== null, t('leaveText'))
  const { flt_id: id } = vehicle

  async function askAndRemove() {
    const sure = await confirmFirst({
      title: t('removeQuestion'),
      text: t('removeText', { plate: formatPlate(vehicle.license_plate) }),
      confirm: t('remove'),
      danger: true,
    })
    if (!sure) return
    try {
      await remove.mutateAsync({ flt_id: id })
    } catch {
      // Told in a toast, and above the vehicle with what holds it.
      return
    }
    // What was typed is of a vehicle that is gone; nobody is asked about it on the way out.
    flushSync(() => setEdits(() => null))
    onRemoved()
  }

  return (
    <>
      <OtherCustomer vehicle={vehicle} />
      <Paper className={classes.head}>
        <VehicleLine vehicle={vehicle} />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconTrash size={18} stroke={1.7} aria-hidden />}
            loading={remove.isPending}
            onClick={() => void askAndRemove()}
          >
            {t('remove')}
          </Button>
          {isHotel(mode) && (
            <LinkButton
              to="/wizard/step2"
              search={{ flt_id: id }}
              state={{ flt_id: id }}
              leftSection={<IconClipboardPlus size={18} stroke={1.7} aria-hidden />}
            >
              {t('operation')}
            </LinkButton>
          )}
        </Group>
      </Paper>
      {remove.error instanceof Refused && remove.error.code === 'vehicle.in_use' && (
        <InUse params={remove.error.params} close={remove.reset} />
      )}
      <Tabs value={tab} onChange={next => setTab(vehicleTabs.find(one => one === next) ?? 'tyres')} keepMounted={false}>
        <Tabs.List mb="md" className={classes.tabs}>
          <Tabs.Tab value="tyres">{t('tab.tyres')}</Tabs.Tab>
          <Tabs.Tab value="data">
            {t('tab.data')}
            {edits && ' •'}
          </Tabs.Tab>
          <Tabs.Tab value="history">{t('tab.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tyres">
          <VehicleTyres vehicle={vehicle} />
        </Tabs.Panel>
        <Tabs.Panel value="data">
          <VehicleData vehicle={vehicle} edits={edits} setEdits={setEdits} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <VehicleHistory vehicle={vehicle} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** Why a vehicle can't be removed: what of it is still here. */
function InUse({ params, close }: { params: Refused['params']; close: () => void }) {
  const { t } = useTranslation(['fleet', 'common'])
  const tyres = Number(params.tyres ?? 0)
  const operations = Number(params.operations ?? 0)
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('fleet:inUse')}
      role="alert"
      mb="md"
      withCloseButton
      onClose={close}
    >
      <ul className={classes.reasons}>
        {tyres > 0 && <li>{t('fleet:inUseTyres', { count: tyres })}</li>}
        {operations > 0 && (
          <li>
            {t('fleet:inUseOperations', { count: operations })}{' '}
            <TextLink to="/operations">{t('fleet:toOperations')}</TextLink>
          </li>
        )}
      </ul>
    </Alert>
  )
}
