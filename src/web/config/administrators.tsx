/** The administrators of a site, and how it gets its first one (DESIGN §5). */
import { Badge, Button, Group, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hotelconfig as calls } from '#contract/hotelconfig.ts'
import { messageOf, Refused, useAnswer, useCall } from '../shared/api.ts'
import { toFirstComplaint } from '../ui/complaint.ts'
import { formatMoment } from '../shared/format.ts'
import { OncePassword } from '../ui/oncePassword.tsx'
import { isWeak, PasswordField } from '../ui/passwordField.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import classes from './config.module.css'

type Made = { username: string; password: string }

export function Administrators({ site, timeZone }: { site: number; timeZone: string }) {
  const { t } = useTranslation('superuser')
  const admins = useAnswer(calls.admins, { id: site })
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  if (!admins.data) {
    return admins.isError ? <Failed error={admins.error} retry={admins.refetch} /> : <Placeholders rows={2} />
  }
  const none = admins.data.length === 0
  return (
    <Stack gap="md">
      {none ? (
        <Empty text={t('noAdministrators')} />
      ) : (
        <div className={classes.frame}>
          <Table className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('username')}</Table.Th>
                <Table.Th>{t('fullname')}</Table.Th>
                <Table.Th className={classes.wide}>{t('created')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {admins.data.map(admin => (
                <Table.Tr key={admin._id}>
                  <Table.Td>
                    <span className={classes.nameLine}>
                      <strong>{admin.username}</strong>
                      {admin.disabled && (
                        <Badge size="sm" color="gray">
                          {t('disabled')}
                        </Badge>
                      )}
                    </span>
                  </Table.Td>
                  <Table.Td>{admin.fullname}</Table.Td>
                  <Table.Td className={classes.wide}>{formatMoment(admin.created, timeZone)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {made && <OncePassword {...made} onSeen={() => setMade(null)} />}
      {making || none ? (
        <NewAdministrator
          site={site}
          first={none}
          onMade={account => {
            setMade(account)
            setMaking(false)
          }}
          onCancel={none ? undefined : () => setMaking(false)}
        />
      ) : (
        <Group>
          <Button
            variant="default"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            onClick={() => {
              setMade(null)
              setMaking(true)
            }}
          >
            {t('newAdministrator')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

type NewAdministratorProps = {
  site: number
  first: boolean
  onMade: (made: Made | null) => void
  onCancel?: (() => void) | undefined
}

function NewAdministrator({ site, first, onMade, onCancel }: NewAdministratorProps) {
  const { t } = useTranslation(['superuser', 'common', 'config', 'failures'])
  const make = useCall(calls.newadmin, { doing: 'superuser:makingAdministrator', done: 'superuser:administratorMade' })
  const [username, setUsername] = useState('')
  const [fullname, setFullname] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const begin = useRef<HTMLInputElement>(null)
  // it stands in the place of the button that was pressed
  useEffect(() => {
    if (!first) begin.current?.focus()
  }, [first])
  const refusedAs = (code: string) =>
    make.error instanceof Refused && make.error.code === code ? messageOf(make.error) : undefined

  async function send(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (make.isPending) return
    if (username.trim() === '' || isWeak(password)) return toFirstComplaint(element)
    try {
      const account = await make.mutateAsync({
        id: site,
        username,
        ...(fullname.trim() !== '' && { fullname }),
        ...(password !== '' && { password }),
      })
      onMade(account.password === null ? null : { username: account.username, password: account.password })
    } catch {
      // Told in a toast and at the field; what was typed stays.
    }
  }
  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate className={classes.entry}>
      {first && <Text size="sm">{t('superuser:firstAdministrator')}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md" verticalSpacing="sm">
        <TextInput
          ref={begin}
          label={t('superuser:username')}
          description={t('superuser:usernameHint')}
          value={username}
          onChange={event => setUsername(event.currentTarget.value)}
          error={
            tried && username.trim() === ''
              ? t('config:complaint.required')
              : make.variables?.username === username
                ? refusedAs('account.name_taken')
                : undefined
          }
          maxLength={60}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
        />
        <TextInput
          label={t('superuser:fullname')}
          description={t('superuser:fullnameHint')}
          value={fullname}
          onChange={event => setFullname(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
        />
        <PasswordField
          label={t('superuser:password')}
          description={t('superuser:passwordHint')}
          value={password}
          onChange={setPassword}
          tried={tried}
          error={make.variables?.password === password ? refusedAs('account.password_weak') : undefined}
        />
      </SimpleGrid>
      <Group justify="flex-end" gap="xs">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        )}
        <Button type="submit" loading={make.isPending} leftSection={<IconUserPlus size={18} aria-hidden />}>
          {first ? t('superuser:makeFirstAdministrator') : t('superuser:makeAdministrator')}
        </Button>
      </Group>
    </form>
  )
}
