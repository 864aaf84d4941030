/** The parts of the configuration form that are fields; images and lists have their own files. */
import { ActionIcon, Collapse, SimpleGrid, Tooltip } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { languageCodes } from '#domain/people/account.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { documentTypes, invoicingModes, invoicingQuantities, modes } from '#domain/site.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { Choice } from '../ui/select.tsx'
import { languageNames } from '../shared/languages.ts'
import { UrlFields } from '../sites/urlFields.tsx'
import { useOperationTypeLabel } from '../shared/trade.tsx'
import { ArticlePicker } from '../articles/articlePicker.tsx'
import classes from './config.module.css'
import { useEditing } from './editing.ts'
import { Boxes, Flag, Money, NumberEntry, Option, TextEntry } from './fields.tsx'
import type { NumericField } from './siteForm.ts'

const columns = { cols: { base: 1, sm: 2 }, spacing: 'md', verticalSpacing: 'md' } as const

export function Site() {
  const { t } = useTranslation('config')
  const { form } = useEditing()
  const { time_zone: zone } = form.values
  const zones = useMemo(() => [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted(), [zone])
  return (
    <SimpleGrid {...columns}>
      <TextEntry field="name" max={80} hint={t('hint.name')} />
      <TextEntry field="adminEmail" max={100} type="email" inputMode="email" hint={t('hint.adminEmail')} />
      <Option
        field="lang"
        options={languageCodes.map(code => ({ value: code, label: languageNames[code].name }))}
        hint={t('hint.lang')}
      />
      <Choice
        id="field-time_zone"
        {...form.choice('time_zone')}
        label={t('field.time_zone')}
        description={t('hint.time_zone')}
        data={zones}
        limit={60}
        nothingFoundMessage={t('nothingFound')}
        searchable
        required
      />
    </SimpleGrid>
  )
}

/** How administrators sign in. */
export function SignIn() {
  const { t } = useTranslation('config')
  return (
    <SimpleGrid {...columns}>
      <Flag field="adminsNeedFactor" />
      <NumberEntry
        field="adminSessionHours"
        description={t('hint.adminSessionHours')}
        suffix={` ${t('hoursUnit')}`}
        required
      />
    </SimpleGrid>
  )
}

/** Settings that only a superuser may change. */
export function Extra() {
  const { t } = useTranslation('config')
  const { form } = useEditing()
  return (
    <SimpleGrid {...columns}>
      <TextEntry field="webstreamAccount" max={80} hint={t('hint.webstreamAccount')} />
      <TextEntry field="default_site_code" max={40} hint={t('hint.default_site_code')} />
      <Option
        field="mode"
        options={modes.map(mode => ({ value: mode, label: t(`mode.${mode}`) }))}
        hint={t('hint.mode')}
      />
      <UrlFields form={form} />
    </SimpleGrid>
  )
}

const treadLimits = ['minTreadSummer', 'minTreadWinter', 'minTreadTruckSummer', 'minTreadTruckWinter'] as const

export function Tyres() {
  const { t, i18n } = useTranslation('config')
  const country = countryOf(useEditing().form.values.time_zone)
  const place = country && new Intl.DisplayNames(i18n.language, { type: 'region' }).of(country)
  return (
    <SimpleGrid {...columns}>
      <Flag field="allowProfileDepth" />
      <Flag field="allowTachometer" />
      <Flag field="showTyresOnVehicle" />
      <Flag field="showTyresAtCustomer" />
      <Flag field="showWasteTyres" />
      <Flag field="allowDetailedStockReport" />
      {treadLimits.map(field => (
        <NumberEntry
          key={field}
          field={field}
          decimals={2}
          description={
            place && field === 'minTreadSummer' ? t('hint.minTreadLaw', { country: place }) : t(`hint.${field}`)
          }
          suffix={` ${t('mmUnit')}`}
          required
        />
      ))}
    </SimpleGrid>
  )
}

const unknownArticles = [
  'unknownWinterArticleId',
  'unknownSummerArticleId',
  'unknownAllSeasonArticleId',
  'unknownSnowArticleId',
] as const

export function UnknownArticles() {
  const { values } = useEditing().form
  return (
    <Flag field="allowUnknownArticle">
      <Collapse expanded={values.allowUnknownArticle}>
        <SimpleGrid {...columns} pt="md">
          {unknownArticles.map(field => (
            <ArticleEntry key={field} field={field} required={field !== 'unknownSnowArticleId'} />
          ))}
        </SimpleGrid>
      </Collapse>
    </Flag>
  )
}

type ArticleEntryProps = { field: NumericField; required?: boolean; hint?: string | undefined }

/** The number of an article, typed or found in the catalogue. A superuser belongs to no site and has no catalogue to search. */
function ArticleEntry({ field, required = false, hint }: ArticleEntryProps) {
  const { t } = useTranslation('config')
  const { form, superuser } = useEditing()
  const [searching, setSearching] = useState(false)
  const [picked, setPicked] = useState<{ id: number; description: string } | null>(null)
  const name = t(`field.${field}`)
  return (
    <>
      <NumberEntry
        field={field}
        naming
        required={required}
        description={picked && picked.id === Number(form.values[field]) ? picked.description : hint}
        rightSection={
          !superuser && (
            <Tooltip label={t('searchArticle')}>
              <ActionIcon
                variant="subtle"
                aria-label={t('searchArticleFor', { field: name })}
                onClick={() => setSearching(true)}
              >
                <IconSearch size={18} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
      {!superuser && (
        <ArticlePicker
          title={name}
          opened={searching}
          onClose={() => setSearching(false)}
          onPick={article => {
            setPicked({ id: article.art_id, description: article.description })
            form.set({ [field]: article.art_id })
          }}
        />
      )}
    </>
  )
}

export function Invoicing() {
  const { t } = useTranslation(['config', 'common'])
  const { form } = useEditing()
  return (
    <SimpleGrid {...columns}>
      <Option
        field="invoicing_quantity"
        options={invoicingQuantities.map(value => ({ value, label: t(`quantity.${value}`) }))}
        hint={t('hint.invoicing_quantity')}
      />
      <Option
        field="invoicing_mode"
        options={invoicingModes.map(value => ({ value, label: t(`invoicingMode.${value}`) }))}
        hint={t('hint.invoicing_mode')}
      />
      <NumberEntry
        field="invoicing_period"
        description={t('hint.invoicing_period')}
        suffix={` ${t('daysUnit')}`}
        required
      />
      <Option
        field="invoicing_document_type"
        options={documentTypes.map(value => ({ value, label: t(`common:documentType.${value}`) }))}
        hint={t('hint.invoicing_document_type')}
      />
      <ArticleEntry field="invoicing_article_id" hint={t('hint.invoicing_article_id')} />
      <Money
        id="field-invoicing_price_excl"
        {...form.number('invoicing_price_excl')}
        label={t('field.invoicing_price_excl')}
        description={t(`priceFor.${form.values.invoicing_quantity}_${form.values.invoicing_mode}`)}
      />
    </SimpleGrid>
  )
}

export function Documents() {
  const { t } = useTranslation(['config', 'common'])
  const { form } = useEditing()
  const typeLabel = useOperationTypeLabel()
  return (
    <Flag field="doDocInsert">
      <Collapse expanded={form.values.doDocInsert}>
        <SimpleGrid {...columns} pt="md">
          <Option
            field="docInsertType"
            options={documentTypes.map(value => ({ value, label: t(`common:documentType.${value}`) }))}
            hint={t('hint.docInsertType')}
          />
          <Boxes
            label={t('field.docInsertExceptions')}
            description={t('hint.docInsertExceptions')}
            options={offeredTypes.map(value => ({ value, label: typeLabel(value) }))}
            chosen={form.values.docInsertExceptions}
            onChange={types => form.set({ docInsertExceptions: types })}
          />
          <Flag field="docInsertAsks" />
        </SimpleGrid>
      </Collapse>
    </Flag>
  )
}

export function Intake() {
  return (
    <div className={classes.single}>
      <Flag field="autoProcessIntakeOnFullScan" />
      <Flag field="warehouseConfirmsMissing" />
      <Flag field="presumeMounts" />
    </div>
  )
}
