/** Somebody signs delivery notes on the screen. */
import { Button, Group, Input, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DeliveryNote, gate as calls } from '#contract/gate.ts'
import { maxSignerLength } from '#domain/gate.ts'
import { useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { clearPad, pictureOf, SignaturePad } from '../ui/signaturePad.tsx'

export function SignNotes({ notes, dialog }: { notes: readonly DeliveryNote[]; dialog: DialogControls }) {
  const { t } = useTranslation('gate')
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState(false)
  const sign = useCall(calls.sign, { done: 'common:performed' })
  const form = useContractForm({
    initial: { name: '' },
    input: ({ name }) => name.trim(),
    rules: ({ name }) => ({ name: name.trim() === '' ? t('nameMissing') : undefined }),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async name => {
        if (!canvas.current) return
        const documents = notes.map(({ db_id }) => db_id)
        await sign.mutateAsync({ documents, name, signature: pictureOf(canvas.current) })
        dialog.close()
      }}
    >
      <Text size="sm" mb="xs">
        {t('signText', {
          count: notes.length,
          numbers: notes.map(({ document_number_text: number }) => number).join(', '),
        })}
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
