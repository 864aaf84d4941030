/** The accounts of a customer, or of the administrators of the site. */
import { ActionIcon, Badge, Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconKey, IconLock, IconLockOpen, IconPencil, IconUserPlus, type TablerIcon } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type Account, customers as calls } from '#contract/customers.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { useSite, useWho } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell, Dimmed } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BouncedAddress } from './bounced.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { formatMinute, formatMoment } from '../shared/format.ts'
import { languageNames } from '../shared/languages.ts'
import { OncePassword, useMadePasswords } from '../ui/oncePassword.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { AccountForm, type Person } from './accountForm.tsx'
import classes from './customers.module.css'
import { NewPassword } from './newPassword.tsx'
import { PersonData } from './personData.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'password'; account: Account }

type AccountsProps = {
  /** The customer; `null` lists the administrators. */
  customer: number | null
  /** The owner of the first account, from the customer's details. */
  person?: Person
}

export function Accounts({ customer, person }: AccountsProps) {
  const { t } = useTranslation('customers')
  const who = useWho()
  const site = useSite()
  const accounts = useAnswer(calls.accounts, customer === null ? {} : { seq_id: customer })
  const [open, setOpen] = useState<Open | null>(null)
  const { passwords, keep, forget } = useMadePasswords()
  const adding = useRef<HTMLButtonElement>(null)

  if (!accounts.data)
    return accounts.isError ? <Failed error={accounts.error} retry={accounts.refetch} /> : <Placeholders rows={3} />
  const none = accounts.data.length === 0
  // Administrators can't disable or reset their own account, so that one who can undo it is left.
  const isOwn = ({ type, username }: Account) => type === 'admin' && username === who.username
  const createdOn = ({ created }: Account) => formatMoment(created, site.time_zone).slice(0, 'DD/MM/YYYY'.length)
  const languageIn = ({ lang }: Account) => (lang ? languageNames[lang].name : t('siteLanguage'))
  return (
    <Stack gap="sm">
      {passwords.map(password => (
        <OncePassword key={password.username} {...password} onSeen={() => forget(password.username)} />
      ))}
      <DataTable
        columns={[
          {
            id: 'username',
            header: t('username'),
            render: account => (
              <Name
                account={account}
                own={isOwn(account)}
                language={languageIn(account)}
                createdOn={createdOn(account)}
              />
            ),
          },
          {
            id: 'language',
            header: t('language'),
            render: account =>
              account.lang ? (
                <span lang={languageNames[account.lang].iso}>{languageIn(account)}</span>
              ) : (
                <Dimmed>{languageIn(account)}</Dimmed>
              ),
            from: 'sm',
          },
          {
            id: 'made',
            header: t('made'),
            render: createdOn,
            nowrap: true,
            from: 'xl',
          },
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            render: account => (
              <AccountActions
                account={account}
                own={isOwn(account)}
                open={setOpen}
                erased={() => adding.current?.focus()}
              />
            ),
            nowrap: true,
            width: '1%',
          },
        ]}
        rows={accounts.data}
        keyOf={({ _id }) => _id}
        empty={t('noAccounts')}
        details={{
          render: ({ bounced }) =>
            bounced && <BouncedAddress bounced={bounced} timeZone={site.time_zone} advice={t('correctAddress')} />,
          always: ({ bounced }) => bounced !== null,
        }}
        rowAttributes={({ _id, disabled }) => ({ 'data-account': _id, 'data-disabled': disabled || undefined })}
        phone={{ heads: 'shown' }}
        frame
      />
      <Group>
        <Button
          ref={adding}
          variant={none ? 'filled' : 'default'}
          leftSection={<IconUserPlus size={18} aria-hidden />}
          onClick={() => setOpen({ what: 'new' })}
        >
          {t(customer === null ? 'newAdministrator' : 'newAccount')}
        </Button>
      </Group>
      <FormDialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={
          open?.what === 'password'
            ? t('newPasswordOf', { username: open.account.username })
            : open?.what === 'edit'
              ? t('editWhich', { username: open.account.username })
              : t(customer === null ? 'newAdministrator' : 'newAccount')
        }
        size="30rem"
        long={open?.what !== 'password'}
        lost={t('unsavedAccount')}
      >
        {dialog =>
          open?.what === 'password' ? (
            <NewPassword account={open.account} dialog={dialog} onSet={keep} />
          ) : (
            open && (
              <AccountForm
                customer={customer}
                account={open.what === 'edit' ? open.account : null}
                person={none ? person : undefined}
                dialog={dialog}
                onSaved={keep}
              />
            )
          )
        }
      </FormDialog>
    </Stack>
  )
}

type NameProps = { account: Account; own: boolean; language: string; createdOn: string }

function Name({
  account: { username, fullname, email, bounced, link, disabled, warehouse },
  own,
  language,
  createdOn,
}: NameProps) {
  const { t } = useTranslation('customers')
  return (
    <>
      <span className={classes.nameLine}>
        <strong translate="no">{username}</strong>
        {own && <Badge size="sm">{t('you')}</Badge>}
        {warehouse && (
          <Badge size="sm" color="gray">
            {t('warehouse')}
          </Badge>
        )}
        {disabled && (
          <Badge size="sm" color="gray" leftSection={<IconLock size={12} aria-hidden />}>
            {t('disabled')}
          </Badge>
        )}
      </span>
      {fullname && <span className={classes.contact}>{fullname}</span>}
      {email && <span className={`${classes.contact} ${classes.address}`}>{email}</span>}
      {link && <LinkSent link={bounced ? { ...link, problem: '' } : link} />}
      <BelowCell>{language}</BelowCell>
      <BelowCell width="xl">{`${t('made')} ${createdOn}`}</BelowCell>
    </>
  )
}

/** The state of the last link sent to the account's owner. */
function LinkSent({ link: { kind, at, state, problem } }: { link: NonNullable<Account['link']> }) {
  const { t } = useTranslation('customers')
  const { time_zone } = useSite()
  const words = state === 'sent' ? t(`link.${kind}`) : t(`link.${state}`)
  return (
    <Text component="span" size="xs" c={state === 'failed' ? 'red' : 'dimmed'} display="block">
      {words} · {formatMinute(at, time_zone)}
      {problem && ` · ${problem}`}
    </Text>
  )
}

type AccountActionsProps = { account: Account; own: boolean; open: (open: Open) => void; erased: () => void }

function AccountActions({ account, own, open, erased }: AccountActionsProps) {
  const { t } = useTranslation('customers')
  const { username } = account
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Action icon={IconPencil} label={t('editWhich', { username })} press={() => open({ what: 'edit', account })} />
      {!own && (
        <>
          <Action
            icon={IconKey}
            label={t('newPasswordOf', { username })}
            press={() => open({ what: 'password', account })}
          />
          <Disabling account={account} />
        </>
      )}
      <PersonData account={account} own={own} erased={erased} />
    </Group>
  )
}

type ActionProps = { icon: TablerIcon; label: string; press: () => void; busy?: boolean }

function Action({ icon: Icon, label, press, busy = false }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} loading={busy} onClick={press}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function Disabling({ account: { _id, username, disabled } }: { account: Account }) {
  const { t } = useTranslation('customers')
  const disable = useCall(calls.setdisabled, { doing: 'customers:disabling', done: 'customers:accountDisabled' })
  const enable = useCall(calls.setdisabled, { doing: 'customers:enabling', done: 'customers:accountEnabled' })
  async function press() {
    const sure = await confirmFirst(
      disabled
        ? { title: t('enableQuestion', { username }), text: t('enableText'), confirm: t('enable') }
        : {
            title: t('disableQuestion', { username }),
            text: t('disableText'),
            confirm: t('disable'),
            danger: true,
          },
    )
    if (sure) (disabled ? enable : disable).mutate({ _id, disabled: !disabled })
  }
  return (
    <Action
      icon={disabled ? IconLockOpen : IconLock}
      label={t(disabled ? 'enableWhich' : 'disableWhich', { username })}
      busy={disable.isPending || enable.isPending}
      press={() => void press()}
    />
  )
}
