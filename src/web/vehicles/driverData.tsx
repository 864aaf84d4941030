/** Actions for an administrator when a driver asks for their data, or to be forgotten. */
import { Button, Group, Text } from '@mantine/core'
import { IconDownload, IconUserX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { people as calls } from '#contract/people.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useCall } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { useJsonDownload } from '../shared/downloadJson.ts'

/** Nothing for a vehicle without a driver, and for customers, who empty the fields themselves. */
export function DriverData({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useTranslation('vehicles')
  const { type } = useWho()
  const { flt_id, license_plate: plate, driver } = vehicle
  const download = useJsonDownload(calls.driver, { name: `${t('driverFile')}-${plate}`, done: t('driverExported') })
  const erase = useCall(calls.erasedriver, { doing: 'vehicles:erasingDriver', done: 'vehicles:driverErased' })
  const [erased, setErased] = useState(false)
  const note = useRef<HTMLParagraphElement>(null)
  const nobody = Object.values(driver).every(text => text === '')
  // the button that had the focus is gone
  useEffect(() => {
    if (erased && nobody) note.current?.focus()
  }, [erased, nobody])
  if (type !== 'admin' || (nobody && !erased)) return null
  if (nobody)
    return (
      <Text ref={note} tabIndex={-1} size="sm" c="dimmed" mt="md">
        {t('driverErased')}
      </Text>
    )
  async function press() {
    const sure = await confirmFirst({
      title: t('eraseDriverQuestion'),
      text: t('eraseDriverText', { plate: formatPlate(plate) }),
      confirm: t('eraseDriver'),
      danger: true,
    })
    if (sure) erase.mutate({ flt_id }, { onSuccess: () => setErased(true) })
  }
  return (
    <Group gap="xs" mt="md" pt="md" style={{ borderTop: '1px solid var(--wh-line)' }}>
      <Text size="sm" c="dimmed" flex="1 1 16rem">
        {t('driverDataText')}
      </Text>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate({ flt_id })}
      >
        {t('exportDriver')}
      </Button>
      <Button
        variant="default"
        c="red"
        leftSection={<IconUserX size={18} aria-hidden />}
        loading={erase.isPending}
        onClick={() => void press()}
      >
        {t('eraseDriver')}
      </Button>
    </Group>
  )
}
