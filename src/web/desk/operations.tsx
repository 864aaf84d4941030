/** The operations desk (docs/product/operations.md "Operations desk"): submitted operations, and their outcome. */
import { Badge, Button, Tabs } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { Completed } from './completed.tsx'
import { DayLabels } from '../handling/dayLabels.tsx'
import { useSubmitted } from '../handling/desk.ts'
import { typeOrder } from '../operations/typeOrder.ts'
import classes from './desk.module.css'
import { countByType } from '../handling/lookup.ts'
import { deskTabs } from '../searchParams.ts'
import { Submitted } from './submitted.tsx'
import { TabList } from '../ui/tabList.tsx'

export function AdminOperations() {
  const { t } = useTranslation(['desk', 'nav'])
  const { tab = 'submitted', type = 'to_customer' } = useSearch({ from: '/admin/operations' })
  const navigate = useNavigate({ from: '/admin/operations' })
  const { data, error, refetch } = useSubmitted()
  const counts = data && countByType(data)

  return (
    <Tabs
      value={tab}
      onChange={value =>
        void navigate({ search: { tab: deskTabs.find(option => option === value) ?? 'submitted', type } })
      }
      keepMounted={false}
    >
      <Screen
        title={t('nav:orders')}
        tabs={
          <TabList selected={tab}>
            <Tabs.Tab value="submitted" rightSection={<Count count={counts?.all} />}>
              {t('submitted')}
            </Tabs.Tab>
            <Tabs.Tab value="completed">{t('completed')}</Tabs.Tab>
          </TabList>
        }
        actions={
          <>
            {tab === 'submitted' && type === 'to_stock' && <DayLabels />}
            <Button
              component={Link}
              to="/admin/intake"
              variant="default"
              // the bar of a phone has it
              visibleFrom="sm"
              leftSection={<IconScan size={18} aria-hidden />}
            >
              {t('toIntake')}
            </Button>
          </>
        }
      >
        <Tabs.Panel value="submitted">
          <Tabs
            variant="pills"
            value={type}
            onChange={value =>
              void navigate({
                search: { tab, type: typeOrder.find(option => option === value) ?? type },
                replace: true,
              })
            }
            keepMounted={false}
          >
            <TabList selected={type} mb="sm" aria-label={t('submitted')} className={classes.types}>
              {typeOrder.map(option => (
                <Tabs.Tab key={option} value={option} rightSection={<Count count={counts?.[option]} />}>
                  {t(`types.${option}`)}
                </Tabs.Tab>
              ))}
            </TabList>
            {typeOrder.map(option => (
              <Tabs.Panel key={option} value={option}>
                {data && counts ? (
                  counts.all === 0 ? (
                    <Empty text={t('noneSubmitted')} />
                  ) : (
                    <Submitted type={option} operations={data} />
                  )
                ) : error ? (
                  <Failed error={error} retry={refetch} />
                ) : (
                  <Placeholders rows={8} height={52} />
                )}
              </Tabs.Panel>
            ))}
          </Tabs>
        </Tabs.Panel>
        <Tabs.Panel value="completed">
          <Completed />
        </Tabs.Panel>
      </Screen>
    </Tabs>
  )
}

/** The number; space is reserved until it is known. */
function Count({ count }: { count: number | undefined }) {
  const { i18n } = useTranslation()
  return (
    <Badge size="sm" variant="light" miw={28} aria-hidden={count === undefined}>
      {count === undefined ? '·' : formatNumber(count, i18n.language)}
    </Badge>
  )
}
