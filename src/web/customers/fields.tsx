/** The fields of a customer, for a new one and for one that is changed. */
import { SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerForm, customerLimits } from '#contract/customers.ts'
import { messageOf, Refused } from '../shared/api.ts'
import { complaintsBy, useComplaintText } from '../shared/site/complaint.ts'
import classes from './customers.module.css'
import type { CustomerForm } from './form.ts'

export const complaintsOf = (form: CustomerForm) => complaintsBy(customerForm, form)

type CustomerFieldsProps = {
  form: CustomerForm
  change: (form: CustomerForm) => void
  /** All fields complain: somebody tried to send them. Else a field complains after it was left. */
  tried: boolean
  /** Why the server refused what was sent last, and which code it was sent with. */
  refused: { error: Error | null; code: string | undefined }
}

export function CustomerFields({ form, change, tried, refused }: CustomerFieldsProps) {
  const { t } = useTranslation('customers')
  const complaintText = useComplaintText()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const complaints = complaintsOf(form)

  function said(field: keyof CustomerForm): string | undefined {
    const { error, code } = refused
    if (field === 'code' && error instanceof Refused && error.code === 'customer.code_taken' && code === form.code)
      return messageOf(error)
    const complaint = complaints[field]
    return complaint && (tried || left.has(field)) ? complaintText(complaint) : undefined
  }
  const text = (field: keyof CustomerForm) => ({
    name: field,
    label: t(`field.${field}`),
    value: form[field],
    onChange: (event: { currentTarget: { value: string } }) => change({ ...form, [field]: event.currentTarget.value }),
    onBlur: () => setLeft(before => new Set(before).add(field)),
    error: said(field),
    maxLength: customerLimits[field],
    autoComplete: 'off',
    // Hints of different lengths push no field out of its row.
    inputWrapperOrder: ['label', 'input', 'error', 'description'] satisfies TextInputProps['inputWrapperOrder'],
  })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
      <TextInput {...text('name')} description={t('nameHint')} required data-autofocus />
      <TextInput {...text('companyname')} description={t('companyHint')} />
      <TextInput {...text('street')} className={classes.whole} />
      <TextInput {...text('zipcode')} />
      <TextInput {...text('city')} />
      <TextInput {...text('email')} type="email" inputMode="email" spellCheck={false} />
      <TextInput {...text('code')} description={t('codeHint')} spellCheck={false} />
    </SimpleGrid>
  )
}
