/** The collectors of scrapped tyres, and for administrators the tyres that await collection (docs/product/warehouse.md "Proof of disposal"). */
import { Stack, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { StockTabProps } from './tab.ts'
import { Pickups } from './pickups.tsx'
import { useWaiting, Waiting } from './waiting.tsx'

/** The pick-ups come once it is known how much waits above them. */
function OfSite(props: StockTabProps) {
  const { isPending } = useWaiting()
  return (
    <>
      <Waiting />
      {!isPending && <Pickups {...props} />}
    </>
  )
}

export function Disposals(props: StockTabProps) {
  const { t } = useTranslation('stock')
  return (
    <Stack gap="lg">
      <Text c="dimmed">{t(props.ofSite ? 'disposalsIntro' : 'ownDisposalsIntro')}</Text>
      {props.ofSite ? <OfSite {...props} /> : <Pickups {...props} />}
    </Stack>
  )
}
