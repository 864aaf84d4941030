/** Waivers and their reasons; a waiver can be taken back (docs/product/money.md "Stored days"). */
import { Badge, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { invoicing, type Waiver } from '#contract/invoicing.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { formatMoment } from '../../shared/format.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { Failed } from '../../shared/screen.tsx'
import { useSite } from '../../shared/session.ts'
import { Dotted, Plate, Subject } from '../../shared/trade.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'

export function Waived() {
  const { t, i18n } = useTranslation('invoicing')
  const { time_zone: zone } = useSite()
  const answer = useAnswer(invoicing.waivers, undefined)
  const [takingBack, setTakingBack] = useState<Waiver | null>(null)
  const takeBack = useCall(invoicing.unwaive, { done: ({ days }) => t('waivers.done', { count: days }) })
  const wordsOf = (waiving: { at: string; by: string }) =>
    [formatMoment(waiving.at, zone), waiving.by].filter(Boolean).join(' · ')
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t('waivers.text')}
      </Text>
      <DataTable
        columns={[
          {
            id: 'customer',
            header: t('document.customer'),
            area: 'customer',
            render: waiver => (
              <>
                {waiver.companyname}
                <Text size="xs" c="dimmed">
                  {wordsOf(waiver)}
                </Text>
              </>
            ),
          },
          {
            id: 'vehicles',
            header: t('waivers.vehicles'),
            render: waiver => (
              <Dotted>
                {waiver.license_plates.map(plate => (
                  <Plate key={plate} plate={plate} size="sm" />
                ))}
                {waiver.vehicle_count > waiver.license_plates.length &&
                  t('waivers.more', { count: waiver.vehicle_count - waiver.license_plates.length })}
              </Dotted>
            ),
            from: 'sm',
          },
          {
            id: 'reason',
            header: t('waivers.reason'),
            area: 'reason',
            render: waiver => (
              <>
                {waiver.reason}
                {waiver.taken_back && (
                  <Text size="xs" c="dimmed" component="div">
                    <Badge color="red" size="sm">
                      {t('waivers.back')}
                    </Badge>{' '}
                    {waiver.taken_back.reason} · {wordsOf(waiver.taken_back)}
                  </Text>
                )}
                <BelowCell>{t('left.waived', { count: waiver.days })}</BelowCell>
              </>
            ),
          },
          {
            id: 'days',
            header: t('waivers.days'),
            render: waiver => formatNumber(waiver.days, i18n.language),
            align: 'end',
            from: 'sm',
          },
          {
            id: 'takeBack',
            header: t('waivers.do'),
            headerHidden: true,
            area: 'action',
            render: waiver =>
              waiver.taken_back === null && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('waivers.doWhich', { customer: waiver.companyname, reason: waiver.reason })}
                  onClick={() => setTakingBack(waiver)}
                >
                  {t('waivers.do')}
                </Button>
              ),
            align: 'end',
            width: '1%',
          },
        ]}
        rows={answer.data}
        keyOf={waiver => waiver._id}
        failure={answer.isError && <Failed error={answer.error} retry={answer.refetch} />}
        empty={t('waivers.none')}
        phone={{ areas: ['customer action', 'reason reason'], columns: 'minmax(0, 1fr) auto' }}
        frame
      />
      {takingBack && (
        <ReasonDialog
          title={t('waivers.question', { count: takingBack.days })}
          about={<Subject plates={takingBack.license_plates}>{takingBack.companyname}</Subject>}
          text={t('waivers.questionText')}
          confirm={t('waivers.do')}
          danger
          send={reason => takeBack.mutateAsync({ _id: takingBack._id, reason })}
          onClose={() => setTakingBack(null)}
        />
      )}
    </>
  )
}
