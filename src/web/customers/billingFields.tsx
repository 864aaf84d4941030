/** The fields that identify a party on invoices: of the site in its configuration, of a customer on its screen. */
import { TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { billingLimits } from '#domain/money/billingDetails.ts'
import { companySchemes, peppolSchemes, registerSchemes, type CompanyScheme } from '#domain/money/company.ts'
import { invoiceCountries } from '#domain/money/vat.ts'
import { Choice } from '../ui/select.tsx'
import type { Form } from '../ui/form/useForm.ts'

type PartyForm = {
  country: string | null
  vat_number: string
  company_scheme: string | null
  company_number: string
  peppol_scheme: string | null
  peppol_id: string
}

type PartyFieldsProps = { form: Pick<Form<PartyForm>, 'text' | 'choice'>; noCountry?: string }

const named = (schemes: readonly CompanyScheme[]) =>
  schemes.map(scheme => ({ value: scheme, label: `${scheme} ${companySchemes[scheme].name}` }))

export function PartyFields({ form, noCountry }: PartyFieldsProps) {
  const { t, i18n } = useTranslation('invoices')
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames([i18n.language], { type: 'region' })
    return invoiceCountries
      .map(country => ({ value: country, label: names.of(country) ?? country }))
      .toSorted((a, b) => a.label.localeCompare(b.label, i18n.language))
  }, [i18n.language])
  return (
    <>
      <Choice
        {...form.choice('country')}
        label={t('field.country')}
        data={countries}
        {...(noCountry !== undefined && { placeholder: noCountry })}
        searchable
        clearable
      />
      <TextInput
        {...form.text('vat_number')}
        label={t('field.vat_number')}
        description={t('hint.vat_number')}
        maxLength={billingLimits.vat_number * 2}
        spellCheck={false}
      />
      <Choice
        {...form.choice('company_scheme')}
        label={t('field.company_scheme')}
        data={named(registerSchemes)}
        clearable
      />
      <TextInput
        {...form.text('company_number')}
        label={t('field.company_number')}
        maxLength={billingLimits.company_number}
        spellCheck={false}
      />
      <Choice
        {...form.choice('peppol_scheme')}
        label={t('field.peppol_scheme')}
        description={t('hint.peppol')}
        data={named(peppolSchemes)}
        clearable
      />
      <TextInput
        {...form.text('peppol_id')}
        label={t('field.peppol_id')}
        maxLength={billingLimits.peppol_id}
        spellCheck={false}
      />
    </>
  )
}
