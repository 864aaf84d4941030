import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from './texts.ts'
import { copyText } from './copy.ts'
import classes from './copyButton.module.css'

/** Copies the text before it by one click: a plate, a number. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('common')
  const label = t('copyText', { text })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      className={classes.button}
      title={label}
      aria-label={label}
      onClick={() => void copyText(text, t('copiedText', { text }))}
      data-copy
    >
      <IconCopy size={16} aria-hidden />
    </ActionIcon>
  )
}
