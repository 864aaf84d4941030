/** The account of the signed-in user (docs/product/accounts.md "My account"). */
import { Button, Group, Radio, Switch, Text, Title } from '@mantine/core'
import { IconKey, IconLogout } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { languageCodes } from '#domain/people/account.ts'
import { scopesOf } from '#domain/people/token.ts'
import { account as calls, type OwnSession } from '#contract/session.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { deviceTimeZone, formatMinute } from '../shared/format.ts'
import { useSingleKeys } from '../shared/hooks.ts'
import { ChangePasswordDialog } from './changePasswordDialog.tsx'
import { Insecure } from '../shared/insecure.tsx'
import { useLanguageChoice } from './languageChoice.ts'
import { languageNames } from '../shared/languages.ts'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useWho } from '../shared/session.ts'
import { Tokens } from '../tokens/tokens.tsx'
import { Webhooks } from '../webhooks/webhooks.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './account.module.css'
import { NoticeChoice } from './notices.tsx'
import { SecondStep } from './secondStep.tsx'
import { SignOnLink } from './signOnLink.tsx'

const momentOf = (moment: string) => formatMinute(moment, deviceTimeZone())

export function Account() {
  const { t } = useTranslation('account')
  const { username, type, warehouse = false } = useWho()
  return (
    <Screen title={t('title')}>
      <Insecure />
      <Text c="dimmed" mb="lg">
        {t('who', { username })}
      </Text>
      <Sessions />
      <SecondStep />
      <SignOnLink />
      <Password />
      {!warehouse && <NoticeChoice />}
      <LanguageChoice />
      {type !== 'superuser' && !warehouse && <SingleKeyChoice />}
      {type !== 'superuser' && !warehouse && (
        <section className={classes.part} aria-labelledby="developers">
          <Title order={2} size="h4" id="developers" mb="xs">
            {t('developers')}
          </Title>
          <Programs role={type} />
          <OwnWebhooks />
        </section>
      )}
    </Screen>
  )
}

/** Lets people who press such keys by accident turn them off (WCAG 2.1.4). */
function SingleKeyChoice() {
  const { t } = useTranslation('account')
  const [on, set] = useSingleKeys()
  return (
    <section className={classes.part} aria-labelledby="keys">
      <Title order={2} size="h4" mb="xs" id="keys">
        {t('keys.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('keys.text')}
      </Text>
      <Switch label={t('keys.use')} checked={on} onChange={event => set(event.currentTarget.checked)} />
    </section>
  )
}

function Sessions() {
  const { t } = useTranslation('account')
  const sessions = useAnswer(calls.sessions, {})
  const endOthers = useCall(calls.endothers, { done: 'account:othersEnded' })
  const others = sessions.data?.some(({ present }) => !present) ?? false
  async function leaveOthers() {
    const sure = await confirmFirst({
      title: t('endOthers'),
      text: t('endOthersText'),
      confirm: t('end'),
      danger: true,
    })
    if (sure) endOthers.mutate({})
  }
  return (
    <section className={classes.part} aria-labelledby="sessions">
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={2} size="h4" id="sessions">
          {t('sessions')}
        </Title>
        {others && (
          <Button
            variant="default"
            leftSection={<IconLogout size={18} aria-hidden />}
            loading={endOthers.isPending}
            onClick={() => void leaveOthers()}
          >
            {t('endOthers')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t('sessionsText')}
      </Text>
      {sessions.data ? (
        <SessionTable sessions={sessions.data} />
      ) : sessions.isError ? (
        <Failed error={sessions.error} retry={sessions.refetch} />
      ) : (
        <Placeholders rows={2} />
      )}
    </section>
  )
}

function SessionTable({ sessions }: { sessions: readonly OwnSession[] }) {
  const { t } = useTranslation('account')
  const end = useCall(calls.endsession, { done: 'account:ended' })
  return (
    <DataTable
      columns={[
        {
          id: 'device',
          header: t('device'),
          render: ({ device, present, began, address }) => (
            <>
              {device || t('unknownDevice')}
              {present && (
                <Text size="xs" c="teal" fw={600}>
                  {t('thisDevice')}
                </Text>
              )}
              <BelowCell>
                {momentOf(began)}
                {address && ` · ${address}`}
              </BelowCell>
            </>
          ),
          area: 'device',
        },
        { id: 'address', header: t('address'), render: ({ address }) => address, nowrap: true, from: 'sm' },
        { id: 'began', header: t('began'), render: ({ began }) => momentOf(began), nowrap: true, from: 'sm' },
        { id: 'seen', header: t('seen'), render: ({ seen }) => momentOf(seen), nowrap: true, from: 'sm' },
        {
          id: 'end',
          header: '',
          render: ({ _id, device, present }) =>
            !present && (
              <Button
                variant="subtle"
                color="red"
                size="compact-md"
                aria-label={t('endNamed', { device: device || t('unknownDevice') })}
                loading={end.isPending && end.variables._id === _id}
                onClick={() => end.mutate({ _id })}
              >
                {t('end')}
              </Button>
            ),
          align: 'end',
          area: 'end',
        },
      ]}
      rows={sessions}
      keyOf={({ _id }) => _id}
      empty=""
      phone={{ areas: ['device end'], columns: 'minmax(0, 1fr) auto' }}
      frame
    />
  )
}

function LanguageChoice() {
  const { t } = useTranslation(['account', 'nav'])
  const { chosen, choose } = useLanguageChoice()
  return (
    <section className={classes.part} aria-labelledby="language">
      <Title order={2} size="h4" id="language" mb="xs">
        {t('nav:language')}
      </Title>
      <Radio.Group
        value={chosen}
        onChange={choose}
        description={t('languageText')}
        inputWrapperOrder={['description', 'input']}
        aria-labelledby="language"
      >
        <Group gap="lg" mt="sm">
          {languageCodes.map(code => (
            <Radio key={code} value={code} label={languageNames[code].name} lang={languageNames[code].iso} />
          ))}
        </Group>
      </Radio.Group>
    </section>
  )
}

function Password() {
  const { t } = useTranslation(['account', 'nav'])
  const [changing, setChanging] = useState(false)
  return (
    <section className={classes.part} aria-labelledby="password">
      <Title order={2} size="h4" id="password" mb="xs">
        {t('password')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('passwordText')}
      </Text>
      <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => setChanging(true)}>
        {t('nav:changePassword')}
      </Button>
      <ChangePasswordDialog opened={changing} onClose={() => setChanging(false)} />
    </section>
  )
}

/** The access of other programs. */
function Programs({ role }: { role: 'user' | 'admin' }) {
  const { t } = useTranslation('tokens')
  return (
    <section className={classes.part} aria-labelledby="programs">
      <Title order={3} size="h5" id="programs" mb="xs">
        {t('title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('ownText')}
      </Text>
      <Tokens owner="account" scopes={scopesOf[role]} />
    </section>
  )
}

/** The webhooks of a customer; those of a site are in its configuration. */
function OwnWebhooks() {
  const { t } = useTranslation('webhooks')
  const { type } = useWho()
  if (type !== 'user') return null
  return (
    <section className={classes.part} aria-labelledby="webhooks">
      <Title order={3} size="h5" id="webhooks" mb="xs">
        {t('title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('ownText')}
      </Text>
      <Webhooks owner="account" />
    </section>
  )
}
