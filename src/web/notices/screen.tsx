/** The notices of an account (docs/product/messages.md "Notices"). Opening the screen marks them as read. */
import { Anchor, Badge, Text } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { type Notice, notices as calls } from '#contract/notices.ts'
import { noticeText } from '#domain/people/notice.ts'
import { ask, useAnswer, useCall } from '../shared/api.ts'
import { formatMinute } from '../shared/format.ts'
import { openPdf } from '../shared/pdf.tsx'
import { Empty, Failed, Screen } from '../shared/screen.tsx'
import { pollInterval, useSite, useWho } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'
import { useTask } from '../shared/useTask.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Dimmed } from '../ui/dataTable/secondaryText.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './notices.module.css'

export function NoticesScreen() {
  const { t } = useTranslation('notices')
  const { type } = useWho()
  const { data, isError, error, refetch } = useAnswer(calls.list, {}, { refetchInterval: pollInterval })
  const unread = useUnread(data?.notices)
  const columns = useColumns(unread)
  return (
    <Screen
      title={t('title')}
      actions={
        <LinkButton to="/account" hash="notices" variant="default" leftSection={<IconSettings size={18} aria-hidden />}>
          {t('choose')}
        </LinkButton>
      }
    >
      <DataTable
        columns={columns}
        rows={data?.notices}
        keyOf={({ _id }) => _id}
        label={t('title')}
        failure={isError && <Failed error={error} retry={refetch} />}
        empty={
          <Empty text={t('none')}>
            <Text size="sm">{t(type === 'admin' ? 'noneAdmin' : 'noneText')}</Text>
          </Empty>
        }
        rowAttributes={({ _id }) => ({ 'data-unread': unread.has(_id) || undefined })}
        phone={{ areas: ['plate at', 'text text'], columns: 'minmax(0, 1fr) auto' }}
        frame
      />
    </Screen>
  )
}

/** The notices that were unread when this visit to the screen saw them first. They are marked as read at once. */
function useUnread(notices: readonly Notice[] | undefined): ReadonlySet<number> {
  const [seen, setSeen] = useState<{ of: typeof notices; unread: ReadonlySet<number> }>({
    of: undefined,
    unread: new Set(),
  })
  const { mutate } = useCall(calls.read)
  if (seen.of !== notices) setSeen({ of: notices, unread: new Set([...seen.unread, ...unreadIn(notices)]) })
  useEffect(() => {
    const fresh = unreadIn(notices)
    if (fresh.length > 0) mutate({ last: Math.max(...fresh) })
  }, [notices, mutate])
  return seen.unread
}

const unreadIn = (notices: readonly Notice[] = []): number[] =>
  notices.filter(({ read }) => !read).map(({ _id }) => _id)

/** The number of the document that it is about; a click opens it. */
function DocumentOf({ notice: { document, document_number_text: number } }: { notice: Notice }) {
  const { busy, run } = useTask()
  if (document === null || number === null) return null
  return (
    <Anchor
      component="button"
      type="button"
      underline="always"
      size="sm"
      className={classes.document}
      aria-busy={busy}
      disabled={busy}
      onClick={() => void run(async () => openPdf(await ask(fleet.historydocument, { db_id: document }), number))}
    >
      {number}
    </Anchor>
  )
}

function useColumns(unread: ReadonlySet<number>): Columns<Notice> {
  const { t } = useTranslation('notices')
  const { time_zone: timeZone } = useSite()
  return [
    {
      id: 'plate',
      header: t('column.vehicle'),
      render: ({ license_plate, flt_id }) =>
        license_plate &&
        (flt_id === null ? <Plate plate={license_plate} /> : <VehiclePlate plate={license_plate} id={flt_id} />),
      area: 'plate',
      nowrap: true,
    },
    {
      id: 'text',
      header: t('column.text'),
      render: notice => {
        const { key, values } = noticeText(notice)
        return (
          <div className={classes.what}>
            <span className={classes.text}>{t(key, values)}</span>
            <DocumentOf notice={notice} />
            {unread.has(notice._id) && (
              <Badge size="sm" variant="filled">
                {t('unread')}
              </Badge>
            )}
            {notice.customer && <Dimmed>{t('about', { customer: notice.customer })}</Dimmed>}
          </div>
        )
      },
      area: 'text',
    },
    {
      id: 'at',
      header: t('column.at'),
      render: ({ at }) => <Dimmed>{formatMinute(at, timeZone)}</Dimmed>,
      nowrap: true,
      area: 'at',
      align: 'end',
    },
  ]
}
