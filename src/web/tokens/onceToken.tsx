import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCopy } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { copyText } from '../ui/copy.ts'
import classes from './tokens.module.css'

/** A secret for a program: it is stored nowhere else, and shown until the user confirms having saved it. */
export function OnceToken({ token, text, onKept }: { token: string; text: string; onKept: () => void }) {
  const { t } = useTranslation('tokens')
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
        <Text size="sm">{text}</Text>
      </Alert>
      <Code fz="md" translate="no" className={classes.secret}>
        {token}
      </Code>
      <Button
        variant="default"
        leftSection={<IconCopy size={18} aria-hidden />}
        onClick={() => void copyText(token, t('copied'))}
      >
        {t('copy')}
      </Button>
      <Button size="md" fullWidth onClick={onKept} data-autofocus>
        {t('kept')}
      </Button>
    </Stack>
  )
}
