/** A new customer. The input is kept after a refusal. */
import { Stack } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { customers as calls, type ListedCustomer } from '#contract/customers.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { CustomerFields } from './fields.tsx'
import { customerRules, emptyForm } from './form.ts'

type NewCustomerProps = { dialog: DialogControls; onMade: (customer: ListedCustomer) => void }

export function NewCustomer({ dialog, onMade }: NewCustomerProps) {
  const { t } = useTranslation(['customers', 'config'])
  const make = useCall(calls.save, { doing: 'customers:creating', done: 'customers:created' })
  const form = useContractForm({ initial: emptyForm, ...customerRules, text: useFieldErrorText(), dialog })
  return (
    <Form
      form={form}
      onSubmit={async input => {
        const customer = await make.mutateAsync(input)
        dialog.close()
        onMade(customer)
      }}
    >
      <Stack gap="lg">
        <CustomerFields form={form} />
        <FormActions form={form} dialog={dialog} submit={t('create')} />
      </Stack>
    </Form>
  )
}
