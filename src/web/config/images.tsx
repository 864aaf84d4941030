/** The images of a site: each is replaced separately and at once. */
import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig as calls } from '#contract/config.ts'
import { type SiteImage, siteImages } from '#domain/site.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { notify } from '../ui/notify.ts'
import { ImagePick } from '../sites/imagePick.tsx'
import classes from './config.module.css'
import { type EditedSite, siteOf } from './editing.ts'

export function Images({ site }: { site: EditedSite }) {
  const { landinglogoPath, navlogoPath, faviconPath } = site.saved
  const paths = { landinglogo: landinglogoPath, navlogo: navlogoPath, favicon: faviconPath }
  return (
    <div className={classes.images}>
      {siteImages.map(kind => (
        <Image key={kind} site={site} kind={kind} current={paths[kind]} />
      ))}
    </div>
  )
}

type ImageProps = { site: EditedSite; kind: SiteImage; current: string | null }

function Image({ site, kind, current }: ImageProps) {
  const { t } = useTranslation(['config', 'failures'])
  const [file, setFile] = useState<File | null>(null)
  const [missing, setMissing] = useState(false)
  const upload = useCall(calls.editconfigimage, { doing: 'config:uploading', done: 'config:fileChanged' })
  const refused = upload.error instanceof Refused && upload.error.code.startsWith('image.') ? upload.error : null

  async function send() {
    if (upload.isPending) return
    if (!file) {
      setMissing(true)
      notify.error(t('failures:image.missing'))
      return
    }
    try {
      await upload.mutateAsync({ ...siteOf(site), [kind]: file })
      setFile(null)
    } catch {
      // Reported in a toast and at the field; the file stays chosen.
    }
  }
  return (
    <ImagePick
      kind={kind}
      current={current}
      file={file}
      onPick={picked => {
        setFile(picked)
        setMissing(false)
        upload.reset()
      }}
      error={missing ? t('failures:image.missing') : refused ? messageOf(refused) : undefined}
      disabled={upload.isPending}
    >
      <Button
        size="xs"
        variant={file ? 'filled' : 'default'}
        loading={upload.isPending}
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={() => void send()}
        aria-label={t('config:uploadWhich', { image: t(`config:image.${kind}`) })}
      >
        {t('config:upload')}
      </Button>
    </ImagePick>
  )
}
