/** Sets the configuration of a vehicle that has none, once and for good. */
import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { isHotel } from '#domain/site.ts'
import { useCall } from '../../shared/api.ts'
import { useSite, useVehicleConfigs } from '../../shared/session.ts'
import { Subject } from '../../shared/trade.tsx'
import { Choice } from '../../ui/select.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import { ConfigurationPicture } from './configurationPicture.tsx'

export function SetConfiguration({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useTranslation(['fleet', 'vehicles'])
  const { mode } = useSite()
  const configs = useVehicleConfigs()
  const update = useCall(calls.update, { doing: 'fleet:updating', done: 'fleet:updated' })
  const [chosen, setChosen] = useState<string | null>(null)
  const config = configs.find(({ description }) => description === chosen)

  async function set() {
    if (!config) return
    const sure = await confirmFirst({
      title: t('fleet:configurationQuestion'),
      about: <Subject plates={[vehicle.license_plate]} />,
      text: t('fleet:configurationText', { configuration: config.description }),
      confirm: t('fleet:configurationSet'),
    })
    if (sure) update.mutate({ vehicle: { flt_id: vehicle.flt_id, configuration: config.description } })
  }
  return (
    <Stack gap="sm">
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
        {t('fleet:noConfiguration')}
      </Alert>
      {isHotel(mode) && (
        <>
          <Choice
            label={t('vehicles:configuration')}
            description={t('vehicles:configurationHint')}
            data={configs.map(({ description }) => description)}
            value={chosen}
            onChange={setChosen}
            searchable
          />
          {config && <ConfigurationPicture config={config} />}
          <Button disabled={!config} loading={update.isPending} onClick={() => void set()}>
            {t('fleet:configurationSet')}
          </Button>
        </>
      )}
    </Stack>
  )
}
