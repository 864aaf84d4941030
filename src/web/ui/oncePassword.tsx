import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from './texts.ts'
import { copyText } from './copy.ts'

export type MadePassword = { username: string; password: string }

/** Generated passwords, each kept until the user confirms having noted it, or until the account has another one. */
export function useMadePasswords() {
  const [passwords, setPasswords] = useState<readonly MadePassword[]>([])
  const forget = (username: string) => setPasswords(now => now.filter(entry => entry.username !== username))
  return {
    passwords,
    /** `null`: the password was typed, and is known to its author. */
    keep({ username, password }: { username: string; password: string | null }) {
      forget(username)
      if (password !== null) setPasswords(now => [...now, { username, password }])
    },
    forget,
  }
}

type OncePasswordProps = MadePassword & { onSeen: () => void }

/** A generated password: it is stored nowhere else, and shown until the user confirms having noted it. */
export function OncePassword({ username, password, onSeen }: OncePasswordProps) {
  const { t } = useTranslation('common')
  return (
    <Alert color="teal" icon={<IconCheck aria-hidden />} title={t('oncePassword.of', { username })} role="status">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('oncePassword.text')}</Text>
        <Group gap="xs">
          <Code fz="md" translate="no">
            {password}
          </Code>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void copyText(password, t('oncePassword.copied'))}
          >
            {t('oncePassword.copy')}
          </Button>
          <Button size="xs" variant="subtle" onClick={onSeen}>
            {t('oncePassword.seen')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
