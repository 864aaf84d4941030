/** New recovery codes: they are stored nowhere else, and shown until the user confirms having saved them. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCopy, IconDownload } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import { copyText } from '../../ui/copy.ts'
import { saveFile } from '../../ui/download.ts'
import { useBranding } from '../../shared/session.ts'
import classes from './factors.module.css'

type RecoveryCodesProps = { username: string; codes: readonly string[]; onKept: () => void; done: string }

export function RecoveryCodes({ username, codes, onKept, done }: RecoveryCodesProps) {
  const { t } = useTranslation('factors')
  const { name } = useBranding()
  const text = [t('codesOf', { username, site: name }), '', ...codes, ''].join('\n')
  return (
    <Stack gap="md">
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t('codesTitle')}>
        <Text size="sm">{t('codesText')}</Text>
      </Alert>
      <ul className={classes.codes} aria-label={t('codes')}>
        {codes.map(code => (
          <li key={code}>
            <Code fz="md" translate="no">
              {code}
            </Code>
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => saveFile(text, { name: `${t('codesFile')}.txt`, type: 'text/plain;charset=utf-8' })}
        >
          {t('save')}
        </Button>
        <Button variant="default" leftSection={<IconCopy size={18} aria-hidden />} onClick={() => void copyText(text)}>
          {t('copy')}
        </Button>
      </Group>
      <Button size="md" fullWidth onClick={onKept} data-autofocus>
        {done}
      </Button>
    </Stack>
  )
}
