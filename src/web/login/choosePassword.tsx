/** Sets a password by the link of a message, whether or not a user is signed in. */
import { Button, Loader, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { users } from '#contract/session.ts'
import type { Answer } from '#contract/call.ts'
import { ask } from '../shared/api.ts'
import { NewPasswordForm } from './newPasswordForm.tsx'
import { Wrong } from './wrong.tsx'

type ChoosePasswordProps = {
  token: string
  onSet: (username: string, password: string) => Promise<void>
  /** For a link that no longer works. */
  onAskAgain: () => void
}

export function ChoosePassword({ token, onSet, onAskAgain }: ChoosePasswordProps) {
  const { t } = useTranslation(['login', 'failures'])
  const [link, setLink] = useState<Answer<typeof users.link> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    ask(users.link, { token }, { muted: true }).then(
      answer => gone || setLink(answer),
      error => gone || setFailure(error),
    )
    return () => void (gone = true)
  }, [token])
  if (link)
    return (
      <NewPasswordForm
        username={link.username}
        known={[link.fullname]}
        text={t('choosePasswordFor', { username: link.username })}
        submit={t('savePassword')}
        save={async password => {
          await ask(users.setpassword, { token, password })
          await onSet(link.username, password)
        }}
      />
    )
  return (
    <Stack gap="md" align="stretch">
      {failure === null ? (
        <Loader mx="auto" />
      ) : (
        <>
          <Wrong error={failure} />
          <Button size="md" onClick={onAskAgain}>
            {t('askAgain')}
          </Button>
        </>
      )}
    </Stack>
  )
}
