/** How an authenticator app is added: its seed as a picture and as text, and a code to show that it arrived. */
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { encodeQR } from 'qr'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { AppOffered } from '#contract/factors.ts'
import { copyText } from '../../ui/copy.ts'
import { Form } from '../../ui/form/form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { messageOf } from '../../shared/api.ts'
import classes from './factors.module.css'

type AppSetupProps = {
  app: AppOffered
  /** Adds it; a failure shows at the code. */
  add: (code: string) => Promise<void>
  /** Takes a failure that is not about the code. */
  onFailure?: (error: unknown) => boolean
  submit: string
}

export function AppSetup({ app, add, onFailure, submit }: AppSetupProps) {
  const { t } = useTranslation('factors')
  const [wrong, setWrong] = useState<string | undefined>()
  const form = useForm({
    secret: true,
    initial: { code: '' },
    onFailure(error) {
      if (!onFailure?.(error)) setWrong(messageOf(error))
      return true
    },
  })
  const code = form.values.code.replaceAll(/\s/g, '')
  async function send() {
    if (code === '') return
    setWrong(undefined)
    await add(code)
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        <Text size="sm">{t('appText')}</Text>
        <Picture text={app.address} label={t('appPicture')} />
        <div>
          <Text size="sm" mb={4}>
            {t('appSeed')}
          </Text>
          <Group gap="xs">
            <Code className={classes.seed} translate="no">
              {app.seed.match(/.{1,4}/g)?.join(' ')}
            </Code>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
              onClick={() => void copyText(app.seed)}
            >
              {t('copy')}
            </Button>
          </Group>
        </div>
        <TextInput
          {...form.text('code')}
          label={t('appCode')}
          description={t('appCodeHint')}
          error={wrong}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          size="md"
          data-autofocus
        />
        <Button type="submit" size="md" fullWidth disabled={code === ''} loading={form.busy}>
          {submit}
        </Button>
      </Stack>
    </Form>
  )
}

/** Black on white in either scheme, with its quiet zone: that is how cameras read it. */
function Picture({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 })
    const dots = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: rows.length, path: dots.join('') }
  }, [text])
  return (
    <svg className={classes.picture} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
