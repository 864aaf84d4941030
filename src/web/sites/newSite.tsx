/** Creates a site. Input stays when the server refuses. */
import { Alert, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { countries, type Country, countryOf, languageOfCountry } from '#domain/operations/closedDays.ts'
import { hotelconfig as calls } from '#contract/config.ts'
import { type Mode, modes, type SiteImage, siteImages } from '#domain/site.ts'
import { messageOf, useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { languageNames } from '../shared/languages.ts'
import { useWho } from '../shared/session.ts'
import { ImagePick } from './imagePick.tsx'
import { takenUrls } from './takenUrls.ts'
import { UrlFields } from './urlFields.tsx'
import { Choice } from '../ui/select.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { useDebounced } from '../ui/hooks.ts'
import { marksOf } from './generatedMark.ts'
import { useNarrow } from '../ui/usePhone.ts'
import classes from './sites.module.css'

type Fields = {
  name: string
  webstreamAccount: string
  adminEmail: string
  default_site_code: string
  mode: Mode
  urls: string[]
  country: string
  lang: Language
} & Record<SiteImage, File | null>

const noCountry = '-'

const empty: Fields = {
  name: '',
  webstreamAccount: '',
  adminEmail: '',
  default_site_code: '',
  mode: 'both',
  urls: [''],
  country: countryOf(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? noCountry,
  lang: 'dut',
  landinglogo: null,
  navlogo: null,
  favicon: null,
}

/** The account that is proposed for a site of this name. */
const accountFor = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 20)

type NewSiteProps = {
  /** There is no site yet. */
  first: boolean
  onClose: () => void
}

export function NewSite({ first, onClose }: NewSiteProps) {
  const { t } = useTranslation('sites')
  const narrow = useNarrow()
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t('newSite')}
      size="64rem"
      fullScreen={narrow}
      lost={t('dropText')}
      question={{ title: t('dropQuestion'), confirm: t('drop'), keep: t('goOn') }}
    >
      {dialog => <Entering first={first} dialog={dialog} />}
    </FormDialog>
  )
}

function Entering({ first, dialog }: { first: boolean; dialog: DialogControls }) {
  const { t, i18n } = useTranslation(['sites', 'config', 'common', 'failures'])
  const navigate = useNavigate()
  const { lang } = useWho()
  const make = useCall(calls.new, { doing: 'sites:making', done: ({ message }) => message })
  const [marks, setMarks] = useState<Partial<Record<SiteImage, File>>>({})
  const form = useContractForm({
    // the first one is at the address where its superuser is
    initial: { ...empty, lang, ...(first && { urls: [location.hostname] }) },
    schema: calls.new.input,
    input: ({ default_site_code: code, landinglogo, navlogo, favicon, country, ...required }) => ({
      ...required,
      ...(code.trim() !== '' && { default_site_code: code }),
      ...(country !== noCountry && { country: country as Country }),
      generated: (landinglogo ?? navlogo) ? ('no' as const) : ('yes' as const),
      ...marks,
      ...(landinglogo && { landinglogo }),
      ...(navlogo && { navlogo }),
      ...(favicon && { favicon }),
    }),
    text: useFieldErrorText(),
    refusals: {
      'config.code_taken': 'default_site_code',
      'config.url_taken': takenUrls,
    },
    dialog,
  })
  const { values, refused } = form
  const name = useDebounced(values.name.trim(), 200)
  useEffect(() => {
    // another name may be typed while the marks of this one are drawn
    let current = true
    void marksOf(name).then(drawn => current && setMarks(drawn))
    return () => {
      current = false
    }
  }, [name])
  const countryNames = new Intl.DisplayNames([i18n.language], { type: 'region' })
  const text = (
    field: 'name' | 'adminEmail' | 'webstreamAccount' | 'default_site_code',
    max: number,
  ): TextInputProps => ({
    ...form.text(field),
    label: t(`config:field.${field}`),
    maxLength: max,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { _id: id } = await make.mutateAsync(wish)
        void navigate({ to: '/superuser/config', search: { id, page: 'team' }, state: { id } })
      }}
      className={classes.form}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput
          {...text('name', 80)}
          onChange={({ currentTarget: { value: next } }) =>
            form.set(({ name: before, webstreamAccount: account }) => ({
              name: next,
              ...(account === accountFor(before) && { webstreamAccount: accountFor(next) }),
            }))
          }
          required
          data-autofocus
        />
        <TextInput {...text('adminEmail', 100)} type="email" inputMode="email" required />
        <TextInput {...text('webstreamAccount', 80)} description={t('config:hint.webstreamAccount')} required />
        <TextInput {...text('default_site_code', 40)} description={t('sites:codeHint')} />
        <Choice
          {...form.choice('mode')}
          label={t('config:field.mode')}
          description={t('config:hint.mode')}
          data={modes.map(mode => ({ value: mode, label: t(`config:mode.${mode}`) }))}
          required
        />
        <Choice
          {...form.choice('lang')}
          label={t('sites:lang')}
          data={languageCodes.map(code => ({ value: code, label: languageNames[code].name }))}
          required
        />
        <Choice
          {...form.choice('country')}
          onChange={next => {
            const country = countries.find(code => code === next)
            form.set({ country: next ?? noCountry, ...(country && { lang: languageOfCountry[country] }) })
          }}
          label={t('sites:country')}
          description={t('sites:countryHint')}
          data={[
            { value: noCountry, label: t('sites:noCountry') },
            ...countries.map(code => ({ value: code, label: countryNames.of(code) ?? code })),
          ]}
          searchable
        />
        <UrlFields form={form} />
      </SimpleGrid>
      <div className={classes.images}>
        {siteImages.map(kind => (
          <ImagePick
            key={kind}
            kind={kind}
            current={null}
            file={values[kind] ?? marks[kind] ?? null}
            onPick={file => form.set({ [kind]: file })}
            error={form.error(kind)}
            required
          />
        ))}
      </div>
      {refused?.code.startsWith('image.') && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {messageOf(refused)}
        </Alert>
      )}
      <FormActions form={form} dialog={dialog} submit={t('sites:make')} />
    </Form>
  )
}
