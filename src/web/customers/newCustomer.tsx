/** A new customer. What was typed stays when the server refuses. */
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customers as calls, type ListedCustomer } from '#contract/customers.ts'
import { useCall } from '../shared/api.ts'
import { toFirstComplaint } from '../ui/complaint.ts'
import { type FormInDialog, useEntered } from '../ui/formDialog.tsx'
import { complaintsOf, CustomerFields } from './fields.tsx'
import { editsOf, emptyForm } from './form.ts'

type NewCustomerProps = { dialog: FormInDialog; onMade: (customer: ListedCustomer) => void }

export function NewCustomer({ dialog, onMade }: NewCustomerProps) {
  const { t } = useTranslation(['customers', 'common', 'config', 'failures'])
  const make = useCall(calls.save, { doing: 'customers:creating', done: 'customers:created' })
  const [form, setForm] = useState(emptyForm)
  const [tried, setTried] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  useEntered(editsOf(emptyForm, form) !== null, dialog.entered)

  async function send(event: FormEvent) {
    event.preventDefault()
    if (make.isPending) return
    setTried(true)
    if (Object.keys(complaintsOf(form)).length > 0) return toFirstComplaint(element)
    try {
      const made = await make.mutateAsync(form)
      dialog.done()
      onMade(made)
    } catch {
      // Told in a toast, and at its field.
      toFirstComplaint(element)
    }
  }
  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate>
      <Stack gap="lg">
        <CustomerFields
          form={form}
          change={setForm}
          tried={tried}
          refused={{ error: make.error, code: codeOf(make.variables?.code) }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.leave}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={make.isPending}>
            {t('customers:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The code as it was sent, which the contract allows as a list of one. */
export const codeOf = (code: string | [string] | undefined): string | undefined =>
  Array.isArray(code) ? code[0] : code
