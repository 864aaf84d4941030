/** The events that an account is notified of, and by which channel (docs/product/messages.md "Notices"). */
import { Alert, Checkbox, Group, Radio, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { notices as calls } from '#contract/notices.ts'
import type { Answer } from '#contract/call.ts'
import { dailyHour, type NoticeKind } from '#domain/people/notice.ts'
import { callOf, invalidate, updateCached, useAnswer, useCall } from '../shared/api.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useSendsMail, useWho } from '../shared/session.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './account.module.css'
import { WeeklyViews } from './weeklyViews.tsx'

/** Superusers are told nothing: they belong to no site. */
export function NoticeChoice() {
  const { t } = useTranslation('notices')
  const { type } = useWho()
  const settings = useAnswer(calls.settings, {}, { enabled: type !== 'superuser' })
  if (type === 'superuser') return null
  return (
    <section className={classes.part} aria-labelledby="notices">
      <Title order={2} size="h4" id="notices" mb="xs">
        {t('settings.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('settings.text')}
      </Text>
      {settings.data ? (
        <Choices settings={settings.data} />
      ) : settings.isError ? (
        <Failed error={settings.error} retry={settings.refetch} />
      ) : (
        <Placeholders rows={4} />
      )}
      {type === 'user' && <WeeklyViews />}
    </section>
  )
}

/** The list with this kind in it, or without. */
const withKind = (some: readonly NoticeKind[], kind: NoticeKind, wanted: boolean): NoticeKind[] =>
  wanted ? [...new Set([...some, kind])] : some.filter(other => other !== kind)

function Choices({ settings }: { settings: Answer<typeof calls.settings> }) {
  const { t } = useTranslation('notices')
  const sendsMail = useSendsMail()
  const choose = useCall(calls.choose)
  const { kinds, email, problem } = settings
  const { hidden, mailed, daily } = settings
  function save(change: Partial<Pick<typeof settings, 'hidden' | 'mailed' | 'daily'>>) {
    const choice = { hidden, mailed, daily, ...change }
    // a tick shows at once, and is taken back when it could not be saved
    updateCached<typeof settings>(
      query => callOf(query).name === calls.settings.name,
      cached => ({ ...cached, ...choice }),
    )
    choose.mutate(choice, { onError: () => void invalidate(['notices.settings']) })
  }
  const mailable = sendsMail && email !== ''
  return (
    <>
      <DataTable
        columns={[
          { id: 'kind', header: t('settings.kind'), render: kind => t(`kinds.${kind}`), area: 'kind' },
          {
            id: 'portal',
            header: t('settings.portal'),
            render: kind => (
              <Checkbox
                checked={!hidden.includes(kind)}
                onChange={({ currentTarget }) => save({ hidden: withKind(hidden, kind, !currentTarget.checked) })}
                aria-label={t('settings.portalOf', { kind: t(`kinds.${kind}`) })}
              />
            ),
            nowrap: true,
          },
          {
            id: 'mail',
            header: t('settings.mail'),
            render: kind => (
              <Checkbox
                checked={mailable && mailed.includes(kind)}
                disabled={!mailable}
                onChange={({ currentTarget }) => save({ mailed: withKind(mailed, kind, currentTarget.checked) })}
                aria-label={t('settings.mailOf', { kind: t(`kinds.${kind}`) })}
              />
            ),
            nowrap: true,
          },
        ]}
        rows={kinds}
        keyOf={kind => kind}
        label={t('settings.title')}
        frame
      />
      {mailable ? (
        <>
          <Radio.Group
            value={daily ? 'daily' : 'atOnce'}
            onChange={when => save({ daily: when === 'daily' })}
            label={t('settings.when')}
            mt="sm"
          >
            <Group gap="lg" mt="xs">
              <Radio value="atOnce" label={t('settings.atOnce')} />
              <Radio value="daily" label={t('settings.daily', { hour: `${dailyHour}:00` })} />
            </Group>
          </Radio.Group>
          <Text size="sm" c="dimmed" mt="xs" className={classes.address ?? ''}>
            {t('settings.to', { email })}
          </Text>
        </>
      ) : (
        <Text size="sm" c="dimmed" mt="xs">
          {t(sendsMail ? 'settings.noAddress' : 'settings.noMail')}
        </Text>
      )}
      {mailable && problem && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} mt="sm">
          {t('settings.problem', { email, problem })}
        </Alert>
      )}
    </>
  )
}
