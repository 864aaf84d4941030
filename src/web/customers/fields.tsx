/** The fields of a customer, for a new one and for one that is changed. */
import { SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { customerLimits } from '#contract/customers.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { isHotel } from '#domain/site.ts'
import { depth } from '#domain/tyres/tyre.ts'
import { useSite } from '../shared/session.ts'
import { NumberField } from '../ui/form/numberField.tsx'
import type { Form } from '../ui/form/useForm.ts'
import { Choice } from '../ui/select.tsx'
import classes from './customers.module.css'
import { type CustomerForm, presumptions } from './form.ts'

/** Of which season, and the site's limit for it. */
const depths = [
  ['min_tread_summer', 'minTreadSummer'],
  ['min_tread_winter', 'minTreadWinter'],
] as const

export function CustomerFields({ form }: { form: Pick<Form<CustomerForm>, 'text' | 'number' | 'choice'> }) {
  const { t, i18n } = useTranslation('customers')
  const site = useSite()
  const text = (field: keyof typeof customerLimits) => ({
    ...form.text(field),
    name: field,
    label: t(`field.${field}`),
    maxLength: customerLimits[field],
  })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
      <TextInput {...text('name')} description={t('nameHint')} required data-autofocus />
      <TextInput {...text('code')} description={t('codeHint')} spellCheck={false} />
      <TextInput {...text('companyname')} description={t('companyHint')} className={classes.whole} />
      <TextInput {...text('street')} className={classes.whole} />
      <TextInput {...text('zipcode')} />
      <TextInput {...text('city')} />
      <TextInput {...text('email')} type="email" inputMode="email" spellCheck={false} className={classes.whole} />
      {/* without depths nothing is judged by them; what was agreed stays */}
      {(site.allowProfileDepth ? depths : []).map(([field, ofSite]) => (
        <NumberField
          key={field}
          {...form.number(field)}
          name={field}
          label={t(`field.${field}`)}
          description={t('minTreadHint')}
          placeholder={`${formatNumber(site[ofSite], i18n.language)} ${t('mmUnit')}`}
          decimals={2}
          min={depth.min}
          max={depth.max}
          suffix={` ${t('mmUnit')}`}
          hideControls
        />
      ))}
      {isHotel(site.mode) && (
        <Choice
          {...form.choice('presume_mounts')}
          name="presume_mounts"
          label={t('field.presume_mounts')}
          data={presumptions.map(value => ({ value, label: t(`presumption.${value}`) }))}
        />
      )}
    </SimpleGrid>
  )
}
