/** Makes a site (SPEC §5 "Hotel config creation form"). What was entered stays when the server refuses. */
import { Alert, Button, Group, Modal, SimpleGrid, TextInput, type TextInputProps } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hotelconfig as calls, siteUrl } from '#contract/hotelconfig.ts'
import { type Mode, modes, type SiteImage, siteImages } from '#domain/site.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { Choice } from '../ui/choice.tsx'
import { toFirstComplaint } from '../ui/complaint.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { complaintsBy, useComplaintText } from '../shared/site/complaint.ts'
import { ImagePick } from '../shared/site/imagePick.tsx'
import { UrlFields } from '../shared/site/urlFields.tsx'
import classes from './sites.module.css'

type Files = Record<SiteImage, File | null>
type Form = {
  name: string
  webstreamAccount: string
  adminEmail: string
  default_site_code: string
  mode: Mode
  urls: string[]
}
const empty: Form = { name: '', webstreamAccount: '', adminEmail: '', default_site_code: '', mode: 'both', urls: [''] }
const noFiles: Files = { landinglogo: null, navlogo: null, favicon: null }

export function NewSite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('superuser')
  const phone = useMediaQuery('(max-width: 62em)')
  const [entered, setEntered] = useState(false)
  const [asking, setAsking] = useState(false)

  async function leave() {
    if (asking) return
    if (entered) {
      setAsking(true)
      const yes = await confirmFirst({
        title: t('dropQuestion'),
        text: t('dropText'),
        confirm: t('drop'),
        keep: t('goOn'),
        danger: true,
      })
      setAsking(false)
      if (!yes) return
    }
    onClose()
  }
  return (
    <Modal
      opened
      onClose={() => void leave()}
      title={t('newSite')}
      size="64rem"
      fullScreen={phone === true}
      closeOnClickOutside={!entered}
      closeOnEscape={!asking}
      trapFocus={!asking}
    >
      <Entering onEntered={() => setEntered(true)} onCancel={() => void leave()} />
    </Modal>
  )
}

function Entering({ onEntered, onCancel }: { onEntered: () => void; onCancel: () => void }) {
  const { t } = useTranslation(['superuser', 'config', 'common', 'failures'])
  const complaintText = useComplaintText()
  const navigate = useNavigate()
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(empty)
  const [files, setFiles] = useState(noFiles)
  const [tried, setTried] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const make = useCall(calls.new, { doing: 'superuser:making', done: ({ message }) => message })
  const { default_site_code: code, ...required } = form
  const complaints = complaintsBy(calls.new.input, required)
  const filesMissing = siteImages.filter(kind => files[kind] === null)

  function change(next: Partial<Form>) {
    setForm(now => ({ ...now, ...next }))
    onEntered()
  }
  const leave = (field: string) => setLeft(now => new Set(now).add(field))
  function said(field: string): string | undefined {
    const complaint = complaints[field]
    if (complaint && (tried || left.has(field))) return complaintText(complaint)
    const { error } = make
    if (!(error instanceof Refused)) return undefined
    if (error.code === 'config.code_taken' && field === 'default_site_code')
      return make.variables?.default_site_code === code ? messageOf(error) : undefined
    const url = field.startsWith('urls.') ? siteUrl.safeParse(form.urls[Number(field.slice(5))]) : undefined
    const taken = error.code === 'config.url_taken' && url?.success && [error.params.urls].flat().includes(url.data)
    return taken ? messageOf(error) : undefined
  }
  const text = (field: Exclude<keyof Form, 'urls' | 'mode'>, max: number): TextInputProps => ({
    label: t(`config:field.${field}`),
    value: form[field],
    onChange: event => change({ [field]: event.currentTarget.value }),
    onBlur: () => leave(field),
    error: said(field),
    maxLength: max,
    autoComplete: 'off',
  })

  async function send(event: FormEvent) {
    event.preventDefault()
    if (make.isPending) return
    setTried(true)
    if (Object.keys(complaints).length > 0 || filesMissing.length > 0) {
      toFirstComplaint(element)
      return
    }
    try {
      const { _id: id } = await make.mutateAsync({
        ...required,
        ...(code.trim() !== '' && { default_site_code: code }),
        ...(files as Record<SiteImage, File>),
      })
      void navigate({ to: '/superuser/config', search: { id }, state: { id } })
    } catch {
      // Told in a toast and below; everything entered stays.
    }
  }
  const imageRefused = make.error instanceof Refused && make.error.code.startsWith('image.') ? make.error : null
  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate className={classes.form}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput {...text('name', 80)} required data-autofocus />
        <TextInput {...text('adminEmail', 100)} type="email" inputMode="email" required />
        <TextInput {...text('webstreamAccount', 80)} description={t('config:hint.webstreamAccount')} required />
        <TextInput {...text('default_site_code', 40)} description={t('superuser:codeHint')} />
        <Choice
          label={t('config:field.mode')}
          description={t('config:hint.mode')}
          data={modes.map(mode => ({ value: mode, label: t(`config:mode.${mode}`) }))}
          value={form.mode}
          onChange={mode => mode && change({ mode: mode as Mode })}
          required
        />
        <UrlFields
          urls={form.urls}
          onChange={urls => change({ urls })}
          said={index => said(`urls.${index}`)}
          leave={index => leave(`urls.${index}`)}
        />
      </SimpleGrid>
      <div className={classes.images}>
        {siteImages.map(kind => (
          <ImagePick
            key={kind}
            kind={kind}
            current={null}
            file={files[kind]}
            onPick={file => {
              setFiles(now => ({ ...now, [kind]: file }))
              onEntered()
            }}
            error={tried && files[kind] === null ? t('failures:image.missing') : undefined}
            required
          />
        ))}
      </div>
      {imageRefused && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {messageOf(imageRefused)}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={make.isPending}>
          {t('superuser:make')}
        </Button>
      </Group>
    </form>
  )
}
