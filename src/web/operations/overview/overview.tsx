/** The operations overview (docs/product/operations.md "Operations overview"). Without an acting customer, an administrator sees the whole site. */
import { Badge, Button, Tabs, Title, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { OnlyCustomer } from '../../customers/onlyCustomer.tsx'
import type { Operation } from '#contract/wire.ts'
import { offersArrival } from '#domain/operations/operation.ts'
import { type OperationsTab, operationsTabs } from '../../searchParams.ts'
import { useFleet, useOperations, useSeesSite, useSite } from '../../shared/session.ts'
import { useToday } from '../../shared/hooks.ts'
import { completedIn, countOperations, lastMonth } from '../completed.ts'
import { OperationCard } from '../operationCard.tsx'
import { SwapCard } from '../swap.tsx'
import { storagesOfSwaps } from '../swaps.ts'
import { Empty, Failed, Placeholders, Screen } from '../../shared/screen.tsx'
import { Completed } from './completed.tsx'
import { groupsOf } from './groups.ts'
import { SeveralOperations } from './several.tsx'
import { OperationWorkbook } from './workbook.tsx'
import { TabList } from '../../ui/tabList.tsx'
import cards from '../card.module.css'
import classes from './operations.module.css'

/** Placeholder rows while fleet and operations are loading. */
const greyRows = 6

export function OperationsOverview() {
  const { t } = useTranslation('operations')
  const seesSite = useSeesSite()
  const all = useOperations()
  const fleet = useFleet()
  // A page of the site's fleet says nothing about these operations.
  const needed = seesSite ? [all] : [all, fleet]
  const failed = needed.find(answer => answer.isError && !answer.data)
  const loaded = needed.every(answer => answer.data)
  const pending = all.data?.filter(operation => operation.status === 'pending').length
  return (
    <Screen
      title={t('title')}
      badge={pending}
      badgeLabel={t('pendingBadge')}
      actions={
        <Button component={Link} to="/wizard/step1" leftSection={<IconPlus size={18} aria-hidden />}>
          {t('newOperation')}
        </Button>
      }
    >
      {failed ? (
        <Failed error={failed.error} retry={failed.refetch} />
      ) : loaded && all.data ? (
        <TabsOf operations={all.data} />
      ) : (
        <Placeholders rows={greyRows} height={56} />
      )}
    </Screen>
  )
}

function TabsOf({ operations }: { operations: readonly Operation[] }) {
  const { t } = useTranslation('operations')
  const { time_zone } = useSite()
  const today = useToday()
  const navigate = useNavigate()
  const state = useLocation({ select: location => location.state.tab })
  const search = useSearch({ from: '/operations' })
  const tab: OperationsTab = search.tab ?? state ?? 'pending'
  const recent = completedIn(operations, lastMonth(today), time_zone)
  const counts: Record<OperationsTab, number> = countOperations(operations, today, time_zone)
  return (
    <Tabs
      value={tab}
      onChange={next => {
        const chosen = operationsTabs.find(option => option === next)
        if (chosen)
          void navigate({
            to: '/operations',
            search: { tab: chosen },
            state: { tab: chosen },
            replace: true,
            resetScroll: false,
          })
      }}
      keepMounted={false}
    >
      <TabList selected={tab} mb="md" className={classes.tabs}>
        {operationsTabs.map(option => (
          <Tabs.Tab
            key={option}
            value={option}
            rightSection={
              <Badge size="sm" variant={option === tab ? 'light' : 'default'}>
                {counts[option]}
              </Badge>
            }
          >
            {t(`tabs.${option}`)}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value="pending">
        <Groups operations={operations} status="pending" />
      </Tabs.Panel>
      <Tabs.Panel value="submitted">
        <Groups operations={operations} status="submitted" />
      </Tabs.Panel>
      <Tabs.Panel value="completed">
        <Completed recent={recent} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Groups({ operations, status }: { operations: readonly Operation[]; status: 'pending' | 'submitted' }) {
  const { t } = useTranslation('operations')
  const groups = groupsOf(operations, status)
  const listed = groups.flatMap(group => group.operations)
  const swaps = storagesOfSwaps(listed)
  const above = new Set([...swaps.values()].map(({ _id }) => _id))
  return (
    // around the empty list, too: the results of the last ones are still shown then
    <SeveralOperations
      operations={listed}
      status={status}
      beside={groups.length > 0 && <OperationWorkbook tab={status} operations={listed} />}
    >
      {groups.length === 0 ? (
        <Empty text={t(`empty.${status}`)}>
          <OnlyCustomer />
        </Empty>
      ) : (
        <div className={cards.cards}>
          {groups.map(({ type, operations: some }) => {
            const own = type === 'to_stock' ? some.filter(({ _id }) => !above.has(_id)) : some
            return (
              <section key={type} aria-labelledby={`group-${type}`} className={`${cards.nested} ${cards.group}`}>
                <div className={cards.heads}>
                  <Title order={2} size="h3" id={`group-${type}`} className={classes.group}>
                    {t(`${status}.${type}`)}
                    <Badge size="sm" variant="default" aria-hidden>
                      {some.length}
                    </Badge>
                  </Title>
                  {own.some(({ deliveryDate }) => deliveryDate !== null) && (
                    <span className={cards.dayHead} aria-hidden>
                      {t(offersArrival(type) ? 'arrivalDate' : 'deliveryDate')}
                    </span>
                  )}
                </div>
                <Cards operations={own} swaps={swaps} />
                {own.length < some.length && (
                  <Text size="sm" c="dimmed">
                    {t('swap.above', { count: some.length - own.length })}
                  </Text>
                )}
              </section>
            )
          })}
        </div>
      )}
    </SeveralOperations>
  )
}

/** Cards shown at a time: a site has over a thousand submitted operations. */
const cardsAtOnce = 50

type CardsProps = { operations: readonly Operation[]; swaps: ReadonlyMap<number, Operation> }

function Cards({ operations, swaps }: CardsProps) {
  const { t } = useTranslation('operations')
  const hash = useLocation({ select: location => location.hash })
  const isAsked = (operation: Operation | undefined) => `operation-${operation?._id}` === hash
  const requested = operations.findIndex(operation => isAsked(operation) || isAsked(swaps.get(operation._id)))
  const [wanted, setWanted] = useState(cardsAtOnce)
  const shown = Math.max(wanted, requested + 1)
  const rest = operations.length - shown
  return (
    <>
      {operations.slice(0, shown).map(operation => {
        const storage = swaps.get(operation._id)
        if (!storage)
          return <OperationCard key={operation._id} operation={operation} startsOpen={isAsked(operation)} inGroup />
        return (
          <SwapCard key={operation._id} recall={operation}>
            {[operation, storage].map(half => (
              <OperationCard key={half._id} operation={half} startsOpen={isAsked(half)} inGroup inSwap />
            ))}
          </SwapCard>
        )
      })}
      {rest > 0 && (
        <Button variant="default" onClick={() => setWanted(shown + cardsAtOnce)}>
          {t('showMore', { count: Math.min(rest, cardsAtOnce), left: rest })}
        </Button>
      )}
    </>
  )
}
