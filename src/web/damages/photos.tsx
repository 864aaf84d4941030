/** Photos of wheels: small ones in a row, each opens large; and the button that takes them (docs/product/warehouse.md "Damage"). */
import { Button, FileButton, Loader, Modal, Text } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { damages as calls } from '#contract/damages.ts'
import { notify } from '../ui/notify.ts'
import { messageOf, Refused, useAnswer, useCall } from '../shared/api.ts'
import classes from './damage.module.css'
import { scaledPhoto } from './scaledPhoto.ts'

const address = (content: string) => `data:image/webp;base64,${content}`
/** A photo never changes. */
const kept = { staleTime: Infinity }

/** `name` describes a photo by its position in the row. */
export function SmallPhotos({ photos, name }: { photos: readonly number[]; name: (nth: number) => string }) {
  const [open, setOpen] = useState<number | null>(null)
  const answer = useAnswer(calls.small, { photos: [...photos] }, { ...kept, muted: true, keep: true })
  const { t } = useTranslation('damages')
  if (answer.isError)
    return (
      <Text size="sm" c="dimmed">
        {t('photoFailed')}
      </Text>
    )
  const contents = new Map(answer.data?.map(({ photo, content }) => [photo, content]))
  return (
    <>
      <ul className={classes.photos}>
        {photos.map((photo, nth) => {
          const content = contents.get(photo)
          return (
            <li key={photo}>
              <button type="button" className={classes.photo} onClick={() => setOpen(nth)} aria-label={name(nth + 1)}>
                {content && <img src={address(content)} alt="" />}
              </button>
            </li>
          )
        })}
      </ul>
      {open !== null && photos[open] !== undefined && (
        <Modal opened onClose={() => setOpen(null)} title={name(open + 1)} size="xl">
          <LargePhoto photo={photos[open]} name={name(open + 1)} />
        </Modal>
      )}
    </>
  )
}

function LargePhoto({ photo, name }: { photo: number; name: string }) {
  const answer = useAnswer(calls.photo, { photo }, { ...kept, muted: true })
  if (answer.isPending) return <Loader size={20} />
  if (answer.isError)
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        {messageOf(answer.error)}
      </Text>
    )
  const { width, height, content } = answer.data
  return <img className={classes.large} src={address(content)} alt={name} width={width} height={height} />
}

/** The newest photo of a wheel, small, as a button. */
export function LastPhoto({ photo, onOpen }: { photo: number; onOpen: () => void }) {
  const { t } = useTranslation('damages')
  const answer = useAnswer(calls.small, { photos: [photo] }, { ...kept, muted: true })
  const content = answer.data?.[0]?.content
  return (
    <button type="button" className={classes.photo} onClick={onOpen} aria-label={t('lastPhoto')}>
      {content && <img src={address(content)} alt="" />}
    </button>
  )
}

type TakePhotosProps = {
  /** The report or tyre that the photos belong to. */
  subject: { damage: number } | { db_id: number }
  label?: string
  size?: string
  px?: string
  children: ReactNode
}

/** Opens the camera on a phone, a file dialog elsewhere, and uploads the photos. */
export function TakePhotos({ subject, label, children, ...look }: TakePhotosProps) {
  const { t } = useTranslation(['damages', 'failures'])
  const add = useCall(calls.addphoto)
  const [sending, setSending] = useState<{ nth: number; count: number } | null>(null)
  const [unsent, setUnsent] = useState<readonly File[]>([])
  const reset = useRef<() => void>(null)
  async function send(files: readonly File[]) {
    // the same picture can be chosen again
    reset.current?.()
    setUnsent([])
    for (const [at, file] of files.entries()) {
      setSending({ nth: at + 1, count: files.length })
      try {
        const photo = await scaledPhoto(file)
        if (photo) await add.mutateAsync({ ...subject, photo })
        else notify.error(t('failures:image.unreadable'))
      } catch (error) {
        // shown in a toast; one unreadable picture does not stop the others
        if (error instanceof Refused && error.code.startsWith('image.')) continue
        setUnsent(files.slice(at))
        break
      }
    }
    setSending(null)
  }
  return (
    <>
      <FileButton
        resetRef={reset}
        accept="image/*"
        capture="environment"
        multiple
        onChange={files => void send([...unsent, ...files])}
      >
        {({ onClick }) => (
          <Button
            {...look}
            variant="default"
            leftSection={<IconCamera size={18} aria-hidden />}
            aria-label={label}
            loading={sending !== null}
            loaderProps={{ children: sending && t('sending', sending) }}
            onClick={onClick}
          >
            {children}
          </Button>
        )}
      </FileButton>
      {unsent.length > 0 && (
        <Button {...look} variant="default" onClick={() => void send(unsent)}>
          {t('sendAgain', { count: unsent.length })}
        </Button>
      )}
    </>
  )
}
