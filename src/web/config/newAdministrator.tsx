/** An account for an administrator of a site; its first one is asked for at once. */
import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hotelconfig as calls } from '#contract/hotelconfig.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { toFirstComplaint } from '../ui/complaint.ts'
import { isWeak, PasswordField } from '../ui/passwordField.tsx'
import classes from './config.module.css'

export type Made = { username: string; password: string }

type NewAdministratorProps = {
  site: number
  first: boolean
  onMade: (made: Made | null) => void
  onCancel?: (() => void) | undefined
}

export function NewAdministrator({ site, first, onMade, onCancel }: NewAdministratorProps) {
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
