/** Who may sign in: for a customer, or as an administrator of the site. */
import { ActionIcon, Badge, Button, Group, Stack, Table, Text, Tooltip } from '@mantine/core'
import { IconKey, IconLock, IconLockOpen, IconPencil, IconUserPlus, type TablerIcon } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, customers as calls } from '#contract/customers.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { useSite, useWho } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { formatMoment } from '../shared/format.ts'
import { languageNames } from '../shared/languages.ts'
import { OncePassword } from '../ui/oncePassword.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { AccountForm } from './accountForm.tsx'
import classes from './customers.module.css'
import { NewPassword } from './newPassword.tsx'
import { PersonData } from './personData.tsx'

type Open = { what: 'new' } | { what: 'edit' | 'password'; account: Account }
type Made = { username: string; password: string }

/** `of` is the customer; `null` lists the administrators. */
export function Accounts({ of }: { of: number | null }) {
  const { t } = useTranslation('customers')
  const accounts = useAnswer(calls.accounts, of === null ? {} : { seq_id: of })
  const [open, setOpen] = useState<Open | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const told = ({ username, password }: { username: string; password: string | null }) =>
    setMade(password === null ? null : { username, password })

  if (!accounts.data)
    return accounts.isError ? <Failed error={accounts.error} retry={accounts.refetch} /> : <Placeholders rows={3} />
  const none = accounts.data.length === 0
  return (
    <Stack gap="sm">
      {made && <OncePassword {...made} onSeen={() => setMade(null)} />}
      {none ? (
        <Empty text={t('noAccounts')} />
      ) : (
        <div className={classes.frame}>
          <Table className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('username')}</Table.Th>
                <Table.Th className={classes.wide}>{t('language')}</Table.Th>
                <Table.Th className={classes.code}>{t('made')}</Table.Th>
                <Table.Th className={classes.actions}>
                  <span className="wh-hidden">{t('actions')}</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {accounts.data.map(account => (
                <Row key={account._id} account={account} open={setOpen} erased={() => adding.current?.focus()} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <Group>
        <Button
          ref={adding}
          variant={none ? 'filled' : 'default'}
          leftSection={<IconUserPlus size={18} aria-hidden />}
          onClick={() => setOpen({ what: 'new' })}
        >
          {t(of === null ? 'newAdministrator' : 'newAccount')}
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
              : t(of === null ? 'newAdministrator' : 'newAccount')
        }
        size="30rem"
        lost={t('unsavedAccount')}
      >
        {dialog =>
          open?.what === 'password' ? (
            <NewPassword account={open.account} dialog={dialog} onSet={told} />
          ) : (
            open && (
              <AccountForm
                of={of}
                account={open.what === 'edit' ? open.account : null}
                dialog={dialog}
                onSaved={told}
              />
            )
          )
        }
      </FormDialog>
    </Stack>
  )
}

type RowProps = { account: Account; open: (open: Open) => void; erased: () => void }

function Row({ account, open, erased }: RowProps) {
  const { t } = useTranslation('customers')
  const who = useWho()
  const site = useSite()
  const { username, fullname, lang, disabled } = account
  // Their own account an administrator neither disables nor resets: somebody has to be left who can undo it.
  const own = account.type === 'admin' && username === who.username
  const language = lang ? languageNames[lang].name : t('siteLanguage')
  return (
    <Table.Tr data-account={account._id} data-disabled={disabled || undefined}>
      <Table.Td>
        <span className={classes.nameLine}>
          <strong translate="no">{username}</strong>
          {own && <Badge size="sm">{t('you')}</Badge>}
          {disabled && (
            <Badge size="sm" color="gray" leftSection={<IconLock size={12} aria-hidden />}>
              {t('disabled')}
            </Badge>
          )}
        </span>
        {fullname && <span className={classes.contact}>{fullname}</span>}
        <span className={classes.underneath}>{language}</span>
      </Table.Td>
      <Table.Td className={classes.wide}>
        {lang ? (
          <span lang={languageNames[lang].iso}>{language}</span>
        ) : (
          <Text span size="sm" c="dimmed">
            {language}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.code}>
        {formatMoment(account.created, site.time_zone).slice(0, 'DD/MM/YYYY'.length)}
      </Table.Td>
      <Table.Td className={classes.actions}>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Action
            icon={IconPencil}
            label={t('editWhich', { username })}
            press={() => open({ what: 'edit', account })}
          />
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
      </Table.Td>
    </Table.Tr>
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
