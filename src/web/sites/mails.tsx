/** The last messages of all sites with their delivery; in the demo, their text. */
import { Alert, Badge, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { type Mail, mails as calls } from '#contract/mail.ts'
import { useAnswer } from '../shared/api.ts'
import { formatMinute } from '../shared/format.ts'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useSendsMail } from '../shared/session.ts'
import { BelowCell, Dimmed } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './mails.module.css'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const colours = { waiting: 'yellow', sent: 'green', failed: 'red' } as const satisfies Record<Mail['state'], string>

export function Mails() {
  const { t } = useTranslation('sites')
  const sendsMail = useSendsMail()
  const mails = useAnswer(calls.list, {}, { refetchInterval: 15_000 })
  const note = !sendsMail ? t('mailsOff') : mails.data?.some(({ kept }) => kept) ? t('mailsKept') : null
  return (
    <Screen title={t('mails')}>
      {note && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md" role="note">
          {note}
        </Alert>
      )}
      {mails.data ? (
        <MailTable mails={mails.data} />
      ) : mails.isError ? (
        <Failed error={mails.error} retry={mails.refetch} />
      ) : (
        <Placeholders rows={8} />
      )}
    </Screen>
  )
}

function MailTable({ mails }: { mails: readonly Mail[] }) {
  const { t } = useTranslation('sites')
  return (
    <DataTable
      columns={[
        {
          id: 'created',
          header: t('created'),
          render: ({ created }) => formatMinute(created, timeZone),
          nowrap: true,
          from: 'sm',
        },
        {
          id: 'kind',
          header: t('mail.kind'),
          render: mail => (
            <>
              {t(`mailKind.${mail.kind}`)}
              <BelowCell>{formatMinute(mail.created, timeZone)}</BelowCell>
              {mail.kept && <Kept {...mail.kept} />}
            </>
          ),
          area: 'kind',
        },
        {
          id: 'username',
          header: t('username'),
          render: ({ username, account, site }) => (
            <>
              <span translate="no">{username ?? `#${account}`}</span>
              <br />
              <Dimmed>{site}</Dimmed>
            </>
          ),
          area: 'username',
        },
        {
          id: 'state',
          header: t('mail.state'),
          render: ({ state, problem }) => (
            <>
              <Badge color={colours[state]}>{t(`mailState.${state}`)}</Badge>
              {problem && (
                <Text size="xs" c="dimmed" mt={4} className={classes.problem}>
                  {problem}
                </Text>
              )}
            </>
          ),
          nowrap: true,
          area: 'state',
        },
        { id: 'tries', header: t('mail.tries'), render: ({ tries }) => tries, align: 'end', from: 'sm' },
      ]}
      rows={mails}
      keyOf={({ _id }) => _id}
      empty={t('mailsEmpty')}
      phone={{ areas: ['kind state', 'username username'], columns: 'minmax(0, 1fr) auto' }}
      className={classes.table}
      frame
    />
  )
}

/** A message that is not delivered: its link can be followed from here. */
function Kept({ to, subject, text }: NonNullable<Mail['kept']>) {
  const { t } = useTranslation('sites')
  return (
    <details className={classes.kept}>
      <summary>{t('mail.open')}</summary>
      <Text size="xs" c="dimmed" translate="no">
        {to}
      </Text>
      <strong>{subject}</strong>
      <p className={classes.text}>
        {text.split(/(https?:\/\/\S+)/).map((piece, nth) =>
          nth % 2 === 1 ? (
            <a key={piece} href={piece} target="_blank" rel="noreferrer">
              {piece}
            </a>
          ) : (
            piece
          ),
        )}
      </p>
    </details>
  )
}
