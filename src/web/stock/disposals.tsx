/** Who took what was scrapped, and for an administrator what waits for a collector (docs/product.md "Proof of disposal"). */
import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StockTabProps } from './tab.ts'
import { Pickups } from './pickups.tsx'
import { Waiting } from './waiting.tsx'

export function Disposals(props: StockTabProps) {
  const { t } = useTranslation('stock')
  return (
    <Stack gap="lg">
      <Text c="dimmed">{t(props.ofSite ? 'disposalsIntro' : 'ownDisposalsIntro')}</Text>
      {props.ofSite && <Waiting />}
      <Pickups {...props} />
    </Stack>
  )
}
