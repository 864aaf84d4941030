/** Sign-in by the provider of the site: the button that leads there, and the messages on the way back. */
import { Button, Loader, Stack, Text } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Step } from '#contract/session.ts'
import { completeSignIn } from '../shared/session.ts'
import { finish, leaveForProvider } from '../account/signOn.ts'

type SignOnButtonProps = { name: string; onFailure: (error: unknown) => void }

export function SignOnButton({ name, onFailure }: SignOnButtonProps) {
  const { t } = useTranslation('login')
  const [busy, setBusy] = useState(false)
  async function leave() {
    setBusy(true)
    onFailure(null)
    await leaveForProvider().catch(onFailure)
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      size="md"
      loading={busy}
      leftSection={<IconLogin2 size={18} aria-hidden />}
      onClick={() => void leave()}
    >
      {t('signInWith', { name })}
    </Button>
  )
}

type ReturningProps = {
  /** The answer that the provider sent the browser back with. */
  answer: string
  onStep: (step: Step | null) => void
  onFailure: (error: unknown) => void
}

export function Returning({ answer, onStep, onFailure }: ReturningProps) {
  const { t } = useTranslation('login')
  const goOnWith = useEffectEvent(async (gone: () => boolean) => {
    try {
      const next = await completeSignIn(await finish(answer))
      if (!gone()) onStep(next)
    } catch (error) {
      if (!gone()) onFailure(error)
    }
  })
  useEffect(() => {
    let gone = false
    void goOnWith(() => gone)
    return () => void (gone = true)
  }, [])
  return (
    <Stack align="center" gap="md" role="status">
      <Loader aria-hidden />
      <Text size="sm">{t('signingIn')}</Text>
    </Stack>
  )
}
