import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from '../../ui/texts.ts'
import { ariaDisabledWhen } from '../../ui/ariaDisabled.ts'

type SaveBarProps = {
  form: { readonly dirty: boolean; readonly busy: boolean }
  discard: () => void
  /** The label of the button, on a screen that has another 'Save'. */
  save?: string
}

/** Below the form of a record on its own screen: whether anything is unsaved, with buttons to save or discard. */
export function SaveBar({ form: { dirty, busy }, discard, save }: SaveBarProps) {
  const { t } = useTranslation('fleet')
  return (
    <Group justify="flex-end" gap="xs">
      {/* on a phone in a row of its own: empty beside the buttons it would push the first of them in */}
      <Text size="sm" c="dimmed" role="status" flex={{ base: '1 0 100%', sm: 'none' }}>
        {dirty && t('unsaved')}
      </Text>
      <Button variant="default" onClick={discard} {...ariaDisabledWhen(!dirty || busy)}>
        {t('discard')}
      </Button>
      <Button type="submit" loading={busy} {...ariaDisabledWhen(!dirty)}>
        {save ?? t('save')}
      </Button>
    </Group>
  )
}
