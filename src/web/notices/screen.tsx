/** The notices of an account (docs/product/messages.md "Notices"). Opening the screen marks them as read. */
import { Anchor, Text } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { type Notice, notices as calls } from '#contract/notices.ts'
import { wallClock } from '#domain/texts/date.ts'
import { noticeText } from '#domain/people/notice.ts'
import { ask, useAnswer, useCall } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
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
  const { time_zone: timeZone } = useSite()
  const groups = useMemo(() => data && groupsOf(data.notices, timeZone), [data, timeZone])
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
        rows={groups}
        keyOf={({ key }) => key}
        label={t('title')}
        failure={isError && <Failed error={error} retry={refetch} />}
        empty={
          <Empty text={t('none')}>
            <Text size="sm">{t(type === 'admin' ? 'noneAdmin' : 'noneText')}</Text>
          </Empty>
        }
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

/** The notices about one vehicle on one day, and those of them that say the same of one operation as one. */
type Group = { key: string; day: string; first: Notice; lines: readonly Line[] }
type Line = { key: string; notices: readonly [Notice, ...Notice[]] }

function groupsOf(notices: readonly Notice[], timeZone: string): Group[] {
  const dayOf = ({ at }: Notice) => wallClock({ now: new Date(at), timeZone }).date
  const groups = Map.groupBy(notices, notice =>
    [dayOf(notice), notice.customer, notice.license_plate || notice._id].join(' '),
  )
  return [...groups].flatMap(([key, some]) => {
    const [first] = some
    if (!first) return []
    const lines = Map.groupBy(some, ({ _id, kind, operation, facts }) =>
      kind === 'document' && operation !== null ? `${operation} ${facts.document}` : String(_id),
    )
    return [
      {
        key,
        day: dayOf(first),
        first,
        lines: [...lines].flatMap(([line, [one, ...others]]) =>
          one ? [{ key: line, notices: [one, ...others] as const }] : [],
        ),
      },
    ]
  })
}

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

function useColumns(unread: ReadonlySet<number>): Columns<Group> {
  const { t } = useTranslation('notices')
  return [
    {
      id: 'plate',
      header: t('column.vehicle'),
      render: ({ first: { license_plate, flt_id } }) =>
        license_plate &&
        (flt_id === null ? <Plate plate={license_plate} /> : <VehiclePlate plate={license_plate} id={flt_id} />),
      area: 'plate',
      nowrap: true,
    },
    {
      id: 'text',
      header: t('column.text'),
      render: ({ first, lines }) => (
        <>
          <ul className={classes.lines}>
            {lines.map(({ key: line, notices }) => {
              const { key, values } = noticeText(notices[0])
              return (
                <li key={line} data-unread={notices.some(({ _id }) => unread.has(_id)) || undefined}>
                  {notices.some(({ _id }) => unread.has(_id)) && (
                    <span className={classes.dot} role="img" aria-label={t('unread')} />
                  )}
                  <span className={classes.text}>{t(key, values)}</span>
                  {notices.map(notice => (
                    <DocumentOf key={notice._id} notice={notice} />
                  ))}
                </li>
              )
            })}
          </ul>
          {first.customer && <Dimmed>{t('about', { customer: first.customer })}</Dimmed>}
        </>
      ),
      area: 'text',
    },
    {
      id: 'at',
      header: t('column.at'),
      render: ({ day }) => <Dimmed>{formatDate(day)}</Dimmed>,
      nowrap: true,
      area: 'at',
      align: 'end',
    },
  ]
}
