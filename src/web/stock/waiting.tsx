/** Scrapped tyres that no collector took yet, and the way to say that one did. */
import { Button, Group, Title } from '@mantine/core'
import { IconTruckDelivery } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { disposals as calls, type WaitingTyre } from '#contract/disposals.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useAnswer } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { Failed } from '../shared/screen.tsx'
import { pollInterval } from '../shared/session.ts'
import { Plate, useTyreSelectName } from '../shared/trade.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { useRowSelection } from '../ui/dataTable/selection.tsx'
import { SelectionBar } from '../ui/selectionBar.tsx'
import { usePhone } from '../ui/usePhone.ts'
import { PickupDialog } from './pickupForm.tsx'
import { usePages } from './pages.tsx'

/** The scrapped tyres that no collector took yet. */
export const useWaiting = () => useAnswer(calls.waiting, {}, { refetchInterval: pollInterval })

export function Waiting() {
  const { t, i18n } = useTranslation(['stock', 'common'])
  const { data, error, refetch } = useWaiting()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const phone = usePhone()
  const [recording, setRecording] = useState(false)
  const tyres = data ?? []
  const taken = tyres.filter(({ db_id }) => chosen.has(db_id))
  const all = taken.length === tyres.length
  const nameOf = useTyreSelectName()
  const selection = useRowSelection<WaitingTyre>({
    head: {
      label: t('stock:chooseAll'),
      state: taken.length === 0 ? false : all || 'some',
      toggle: () => setChosen(new Set(all ? [] : tyres.map(({ db_id }) => db_id))),
    },
    stateOf: ({ db_id }) => chosen.has(db_id),
    labelOf: tyre => nameOf(tyre, tyre.license_plate),
    toggle: ({ db_id }, selected) =>
      setChosen(now => new Set(selected ? [...now, db_id] : [...now].filter(other => other !== db_id))),
  })
  const clear = () => setChosen(new Set())
  const kilos = taken.reduce((sum, tyre) => sum + tyre.estimate_kg, 0)
  const record = (
    <Button
      data-record
      leftSection={<IconTruckDelivery size={18} aria-hidden />}
      disabled={taken.length === 0}
      onClick={() => setRecording(true)}
    >
      {taken.length === 0
        ? t('stock:record')
        : t('stock:recordOf', { count: taken.length, kg: formatNumber(kilos, i18n.language) })}
    </Button>
  )
  const below = phone && taken.length > 0
  return (
    <section aria-label={t('stock:waiting')}>
      <Group justify="space-between" mb="xs" gap="sm" {...(phone && { mih: 44 })}>
        <Title order={2} size="h4">
          {t('stock:waiting')}
        </Title>
        {!below && record}
      </Group>
      {below && (
        <SelectionBar label={t('stock:waiting')} chosen={t('common:tyres', { count: taken.length })} clear={clear}>
          {record}
        </SelectionBar>
      )}
      <DataTable
        label={t('stock:waiting')}
        columns={[
          {
            id: 'vehicle',
            header: t('stock:vehicle'),
            rowHeader: true,
            render: tyre => (
              <>
                <Plate plate={tyre.license_plate} size="sm" />{' '}
                <BelowCell inline plain>
                  {tyre.position}
                </BelowCell>
                <BelowCell>{tyre.description}</BelowCell>
                <BelowCell width="md">{tyre.companyname}</BelowCell>
              </>
            ),
          },
          { id: 'customer', header: t('stock:customer'), render: tyre => tyre.companyname, from: 'md' },
          { id: 'position', header: t('stock:position'), render: tyre => tyre.position, from: 'sm' },
          { id: 'description', header: t('stock:description'), render: tyre => tyre.description, from: 'sm' },
          { id: 'scrapped', header: t('stock:scrapped'), nowrap: true, render: tyre => formatDate(tyre.scrapped) },
        ]}
        rows={data}
        keyOf={tyre => tyre.db_id}
        selection={selection}
        failure={error && <Failed error={error} retry={refetch} />}
        empty={t('stock:nothingWaits')}
        phone={{ heads: 'shown' }}
        spacing="0.25rem"
        placeholders={6}
        paging={usePages('waitingPerPage', t('stock:tyresPerPage'), tyres.length)}
      />
      <PickupDialog
        opened={recording}
        onClose={() => setRecording(false)}
        tyres={taken.map(({ db_id }) => db_id)}
        done={clear}
      />
    </section>
  )
}
