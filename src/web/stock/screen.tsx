/** The records that an insurer, an accountant or an inspector asks for: the stock at the end of a day, and the collectors of scrapped tyres. */
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { Screen } from '../shared/screen.tsx'
import { stockTabs, type StockSearch } from '../searchParams.ts'
import type { StockTabProps } from './tab.ts'
import { Disposals } from './disposals.tsx'
import { StatementTab } from './statementTab.tsx'
import { TabList } from '../ui/tabList.tsx'

/** An administrator's, of the whole site or one customer. */
export function StockScreen() {
  const navigate = useNavigate()
  return (
    <StockTabs
      chosen={useSearch({ from: '/admin/stock' })}
      change={search => void navigate({ to: '/admin/stock', search, replace: true, resetScroll: false })}
      ofSite
    />
  )
}

/** A customer's own. */
export function OwnStockScreen() {
  const navigate = useNavigate()
  return (
    <StockTabs
      chosen={useSearch({ from: '/stock' })}
      change={search => void navigate({ to: '/stock', search, replace: true, resetScroll: false })}
      ofSite={false}
    />
  )
}

function StockTabs({
  chosen,
  change,
  ofSite,
}: Omit<StockTabProps, 'change'> & { change: (search: StockSearch) => void }) {
  const { t } = useTranslation('stock')
  const props: StockTabProps = {
    chosen,
    ofSite,
    change: parts =>
      change(
        Object.fromEntries(
          Object.entries({ ...chosen, ...parts }).filter(([, value]) => value !== undefined),
        ) as StockSearch,
      ),
  }
  const { tab = 'statement' } = chosen
  return (
    <Screen title={t('title')}>
      <Tabs
        value={tab}
        onChange={next => props.change({ tab: stockTabs.find(option => option === next && option !== 'statement') })}
        keepMounted={false}
      >
        <TabList selected={tab} mb="md">
          {stockTabs.map(option => (
            <Tabs.Tab key={option} value={option}>
              {t(`tabs.${option}`)}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="statement">
          <StatementTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="disposals">
          <Disposals {...props} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  )
}
