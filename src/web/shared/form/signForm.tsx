/** A form for a signature on the screen: a name, and a signature drawn with a finger, a pen or the mouse. */
import { Button, Group, Input, Text, TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { maxSignerLength } from '#domain/warehouse/gate.ts'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { lossOf } from '../../ui/form/loss.ts'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { clearPad, pictureOf, SignaturePad } from '../../ui/signaturePad.tsx'
import { useContractForm } from './useContractForm.ts'

type SignFormProps = {
  /** The signer, and the document. */
  text: ReactNode
  /** Sends the name and the picture in base64; the dialog closes when that succeeds. */
  send: (signed: { name: string; signature: string }) => Promise<unknown>
  dialog: DialogControls
}

export function SignForm({ text, send, dialog }: SignFormProps) {
  const { t } = useTranslation('gate')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState(false)
  const form = useContractForm({
    initial: { name: '' },
    input: ({ name }) => name.trim(),
    rules: ({ name }) => ({ name: name.trim() === '' ? t('nameMissing') : undefined }),
    dialog,
    loss: ({ name }) => lossOf({ name: '', drawing: null }, { name: name.trim(), drawing: drawn ? canvas : null }),
  })
  return (
    <Form
      form={form}
      onSubmit={async name => {
        if (!canvas.current) return
        await send({ name, signature: pictureOf(canvas.current) })
        dialog.close()
      }}
    >
      <Text component="div" size="sm" mb="xs">
        {text}
      </Text>
      <TextInput {...form.text('name')} label={t('name')} maxLength={maxSignerLength} required data-autofocus />
      <Input.Label component="div" mt="sm">
        {t('signature')}
      </Input.Label>
      <SignaturePad label={t('signature')} canvas={canvas} onDrawn={setDrawn} />
      <Group mt={4} mb="sm">
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            clearPad(canvas.current)
            setDrawn(false)
          }}
        >
          {t('wipe')}
        </Button>
      </Group>
      <FormActions form={form} dialog={dialog} submit={t('sign')} disabled={!form.valid || !drawn} />
    </Form>
  )
}
