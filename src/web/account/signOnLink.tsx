/** The link between one's own account and an identity at the site's provider of single sign-on (docs/product/accounts.md "Single sign-on"). */
import { Button, Text, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { account as calls } from '#contract/session.ts'
import { messageOf, useAnswer } from '../shared/api.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useBranding, useWho } from '../shared/session.ts'
import { leaveForProvider } from './signOn.ts'
import { notify } from '../ui/notify.ts'
import { useTranslation } from '../ui/texts.ts'
import classes from './account.module.css'

export function SignOnLink() {
  const { t } = useTranslation('account')
  const { type } = useWho()
  const { signOn: name } = useBranding()
  const factors = useAnswer(calls.factors, {})
  if (!name || type === 'superuser') return null
  return (
    <section className={classes.part} aria-labelledby="sign-on">
      <Title order={2} size="h4" id="sign-on" mb="xs">
        {t('signOn.title')}
      </Title>
      {factors.data ? (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t(factors.data.sign_on ? 'signOn.linked' : 'signOn.text', { name })}
          </Text>
          {!factors.data.sign_on && <LinkButton name={name} />}
        </>
      ) : factors.isError ? (
        <Failed error={factors.error} retry={factors.refetch} />
      ) : (
        <Placeholders rows={1} />
      )}
    </section>
  )
}

function LinkButton({ name }: { name: string }) {
  const { t } = useTranslation('account')
  const [leaving, setLeaving] = useState(false)
  async function leave() {
    setLeaving(true)
    await leaveForProvider({ link: true }).catch((error: unknown) => notify.error(messageOf(error)))
    setLeaving(false)
  }
  return (
    <Button
      variant="default"
      leftSection={<IconLink size={18} aria-hidden />}
      loading={leaving}
      onClick={() => void leave()}
    >
      {t('signOn.link', { name })}
    </Button>
  )
}
