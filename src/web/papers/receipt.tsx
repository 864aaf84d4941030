/** The receipt of a storage: the target of its QR code, where it is printed, signed and sent (docs/product/money.md "Papers"). */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconMail, IconSignature } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type HandedWheel, papers as calls, type Receipt } from '#contract/papers.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { ask, isMissing, useAnswer, useCall } from '../shared/api.ts'
import { formatDate, formatDepth, formatMoment } from '../shared/format.ts'
import { SignForm } from '../shared/form/signForm.tsx'
import { PdfButton } from '../shared/pdf.tsx'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useSeesSite, useSendsMail, useSite, useWho } from '../shared/session.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { TextLink } from '../ui/link.tsx'

export function ReceiptScreen() {
  const { t } = useTranslation('papers')
  const { operation } = useSearch({ from: '/receipt' })
  if (operation !== undefined) return <Opened key={operation} operation={operation} />
  return (
    <Screen title={t('receipt')}>
      <Unknown />
    </Screen>
  )
}

/** Another customer's document looks the same as a missing one. */
function Unknown() {
  const { t } = useTranslation(['papers', 'nav'])
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {t('papers:unknown')} <TextLink to="/operations">{t('nav:operations')}</TextLink>
    </Alert>
  )
}

function Opened({ operation }: { operation: number }) {
  const { t } = useTranslation('papers')
  const { data, error, isError, refetch } = useAnswer(calls.receipt, { operation })
  return (
    <Screen title={t('receiptWhich', { number: operation })} actions={data && <Actions receipt={data} />}>
      {data ? (
        <Content receipt={data} />
      ) : isError && isMissing(error) ? (
        <Unknown />
      ) : isError ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Placeholders rows={6} />
      )}
    </Screen>
  )
}

function Actions({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('papers')
  const { type } = useWho()
  const sendsMail = useSendsMail()
  const { operation, signed, companyname } = receipt
  const sign = useCall(calls.sign, { done: 'common:performed' })
  const mail = useCall(calls.mail, { done: ({ messages }) => t('mailed', { count: messages }) })
  const [signing, setSigning] = useState(false)

  async function send() {
    const sure = await confirmFirst({
      title: t('mailQuestion'),
      text: t('mailText', { customer: companyname }),
      confirm: t('mail'),
    })
    if (sure) mail.mutate({ operation })
  }
  return (
    <Group gap="xs">
      <PdfButton name={t('receiptWhich', { number: operation })} pdf={() => ask(calls.receiptpdf, { operation })}>
        PDF
      </PdfButton>
      {type === 'admin' && !signed && (
        <Button leftSection={<IconSignature size={18} aria-hidden />} onClick={() => setSigning(true)}>
          {t('sign')}
        </Button>
      )}
      {type === 'admin' && sendsMail && (
        <Button
          variant="default"
          leftSection={<IconMail size={18} aria-hidden />}
          loading={mail.isPending}
          onClick={() => void send()}
        >
          {t('mail')}
        </Button>
      )}
      <FormDialog opened={signing} onClose={() => setSigning(false)} title={t('sign')} lost={t('unsigned')}>
        {dialog => (
          <SignForm
            text={t('signText', { count: receipt.wheels.filter(({ missing }) => !missing).length })}
            send={signed => sign.mutateAsync({ operation, ...signed })}
            dialog={dialog}
          />
        )}
      </FormDialog>
    </Group>
  )
}

function Content({ receipt }: { receipt: Receipt }) {
  const { t, i18n } = useTranslation(['papers', 'common', 'documents'])
  const { allowProfileDepth, time_zone: zone } = useSite()
  const seesSite = useSeesSite()
  const { signed, wheels } = receipt
  const depthOf = ({ depth }: HandedWheel) =>
    depth === null ? '' : t('common:mm', { depth: formatDepth(depth, i18n.language) })
  const partsOf = ({ rims, bolts, hubcaps }: HandedWheel) =>
    [
      rims && t(`documents:delivery.${rims}`),
      bolts && t('documents:delivery.bolts'),
      hubcaps && t('documents:delivery.hubcaps'),
    ]
      .filter(Boolean)
      .join(', ')
  return (
    <Stack gap="md">
      <Group gap="sm">
        <VehiclePlate plate={receipt.license_plate} id={receipt.flt_id} />
        <Text size="sm">
          {[receipt.vehicle, seesSite && receipt.companyname, t('papers:storedOn', { date: formatDate(receipt.date) })]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Group>
      <DataTable
        columns={[
          { id: 'position', header: t('documents:position'), render: wheel => wheel.position, nowrap: true },
          {
            id: 'tyre',
            header: t('papers:tyre'),
            render: wheel => (
              <>
                {wheel.description}{' '}
                <Text component="span" size="xs" c="dimmed">
                  #{wheel.id}
                </Text>{' '}
                {wheel.missing && <Badge color="red">{t('documents:delivery.missing')}</Badge>}{' '}
                {wheel.damages.map(code => (
                  <Badge key={code} color="orange" variant="light">
                    {t(`common:damage.${code}`)}
                  </Badge>
                ))}
                <BelowCell>{[wheel.set, depthOf(wheel), partsOf(wheel)].filter(Boolean).join(' · ')}</BelowCell>
              </>
            ),
          },
          { id: 'set', header: t('documents:delivery.set'), render: wheel => wheel.set, from: 'sm' },
          ...(allowProfileDepth
            ? [
                {
                  id: 'depth',
                  header: t('documents:delivery.depth'),
                  render: depthOf,
                  align: 'end' as const,
                  from: 'sm' as const,
                },
              ]
            : []),
          { id: 'with', header: t('documents:delivery.with'), render: partsOf, from: 'sm' },
        ]}
        rows={wheels}
        keyOf={wheel => wheel.id}
        phone={{ heads: 'shown' }}
        frame={{ label: t('papers:wheelsOf', { plate: formatPlate(receipt.license_plate) }) }}
      />
      <Text size="sm" role="status">
        {signed
          ? t('documents:delivery.signed', { name: signed.name, time: formatMoment(signed.at, zone) })
          : t('papers:notSigned')}
      </Text>
    </Stack>
  )
}
