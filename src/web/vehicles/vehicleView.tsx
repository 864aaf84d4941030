/** A complete vehicle: its identity, tyres, data and history. */
import { Alert, Button, Group, Paper, Tabs } from '@mantine/core'
import { IconAlertTriangle, IconArrowsExchange, IconClipboardPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { isHotel } from '#domain/site.ts'
import { cancelQuery, Refused, useCall } from '../shared/api.ts'
import { useSite, useWho } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { OtherCustomer } from '../customers/otherCustomer.tsx'
import { LinkButton, TextLink } from '../ui/link.tsx'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import type { VehicleEdits } from './form.ts'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { Leave } from './moving/leave.tsx'
import { TransferVehicle } from './transferVehicle.tsx'
import { type VehicleTab, vehicleTabs } from './tabs.ts'
import { VehicleData } from './vehicleData.tsx'
import { VehicleHistory } from './vehicleHistory.tsx'
import { VehicleLine } from './vehicleLine.tsx'
import { VehicleTyres } from './vehicleTyres.tsx'
import { TabList } from '../ui/tabList.tsx'
import classes from './vehicleView.module.css'

type VehicleViewProps = {
  vehicle: Vehicle
  tab: VehicleTab
  setTab: (tab: VehicleTab) => void
  onRemoved: () => void
  /** Unsaved edits, where the parent screen keeps them and asks before they are lost. */
  kept?: Unsaved
}
type Unsaved = {
  edits: VehicleEdits | null
  setEdits: (change: (edits: VehicleEdits | null) => VehicleEdits | null) => void
}

export function VehicleView({ vehicle, tab, setTab, onRemoved, kept }: VehicleViewProps) {
  const { t } = useTranslation('fleet')
  const { mode } = useSite()
  const { type } = useWho()
  const [transferring, setTransferring] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [ownEdits, setOwnEdits] = useState<VehicleEdits | null>(null)
  const { edits, setEdits }: Unsaved = kept ?? { edits: ownEdits, setEdits: setOwnEdits }
  const [refused, setRefused] = useState(false)
  const remove = useCall(calls.inactivate, {
    doing: 'fleet:removing',
    done: 'fleet:removed',
    shown: ['vehicle.in_use'],
  })
  useUnsavedGuard(!kept && edits !== null, t('leaveText'))
  const { flt_id: id } = vehicle

  /** Stored tyres and open operations, which keep the vehicle from being removed. */
  const remaining = {
    tyres: vehicle.tyres.filter(tyre => tyre.tyre_status === 'in_stock').length,
    operations: new Set(vehicle.tyres.flatMap(tyre => tyre.operation ?? [])).size,
  }

  function gone() {
    void cancelQuery(calls.vehicle, { flt_id: id })
    // Edits of a vehicle that is gone: leaving asks no question about them.
    flushSync(() => setEdits(() => null))
    onRemoved()
  }

  async function askAndRemove() {
    // of a vehicle with tyres it is asked what becomes of them
    if (vehicle.left_on === null && vehicle.tyres.some(({ tyre_status }) => tyre_status !== 'waste'))
      return setLeaving(true)
    if (remaining.tyres > 0 || remaining.operations > 0) return setRefused(true)
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
      // Shown in a toast, or above the vehicle with the reasons.
      return
    }
    gone()
  }

  return (
    <>
      <OtherCustomer vehicle={vehicle} />
      <Paper className={classes.head}>
        <VehicleLine vehicle={vehicle} copies />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconTrash size={18} stroke={1.7} aria-hidden />}
            loading={remove.isPending}
            onClick={() => void askAndRemove()}
          >
            {t('remove')}
          </Button>
          {type === 'admin' && (
            <Button
              variant="default"
              leftSection={<IconArrowsExchange size={18} stroke={1.7} aria-hidden />}
              onClick={() => setTransferring(true)}
            >
              {t('transfer.button')}
            </Button>
          )}
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
      {type === 'admin' && (
        <TransferVehicle vehicle={vehicle} opened={transferring} onClose={() => setTransferring(false)} />
      )}
      <FormDialog
        opened={leaving}
        onClose={() => setLeaving(false)}
        title={t('removeQuestion')}
        size="lg"
        lost={t('dialogLost')}
      >
        {dialog => <Leave vehicle={vehicle} dialog={dialog} onLeft={gone} />}
      </FormDialog>
      {refused && <InUse {...remaining} close={() => setRefused(false)} />}
      {remove.error instanceof Refused && remove.error.code === 'vehicle.in_use' && (
        <InUse
          tyres={Number(remove.error.params.tyres ?? 0)}
          operations={Number(remove.error.params.operations ?? 0)}
          close={remove.reset}
        />
      )}
      <Tabs
        value={tab}
        onChange={next => setTab(vehicleTabs.find(candidate => candidate === next) ?? 'tyres')}
        keepMounted={false}
      >
        <TabList selected={tab} mb="md" className={classes.tabs}>
          <Tabs.Tab value="tyres">{t('tab.tyres')}</Tabs.Tab>
          <Tabs.Tab value="data">
            {t('tab.data')}
            {edits && ' •'}
          </Tabs.Tab>
          <Tabs.Tab value="history">{t('tab.history')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="tyres">
          <VehicleTyres vehicle={vehicle} showHistory={() => setTab('history')} />
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

/** Why a vehicle can't be removed: stored tyres or open operations. */
function InUse({ tyres, operations, close }: { tyres: number; operations: number; close: () => void }) {
  const { t } = useTranslation(['fleet', 'common'])
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
