/** A file for an image of a site, dropped or chosen, with a preview (docs/product/sites.md "Site configuration"). */
import { Button, Group, Input, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconPhotoUp, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { SiteImage } from '#domain/site.ts'
import { unseen } from '../ui/fileDrop.tsx'
import { notify } from '../ui/notify.ts'
import classes from './imagePick.module.css'

/** The formats that the server can read (docs/promises.md "Images"). */
const accepted = ['image/png', 'image/jpeg', 'image/webp']

type ImagePickProps = {
  kind: SiteImage
  /** The image as it is; `null` for none. */
  current: string | null
  /** The file that was chosen and is not sent yet. */
  file: File | null
  onPick: (file: File | null) => void
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  /** Further actions on the file. */
  children?: ReactNode
}

export function ImagePick({ kind, current, file, onPick, error, required, disabled, children }: ImagePickProps) {
  const { t } = useTranslation(['config', 'failures', 'common'])
  const id = useId()
  const chosen = useAddress(file)
  const shown = chosen ?? current
  const [refused, setRefused] = useState(false)
  const complaint = refused ? t('failures:image.missing') : error

  return (
    <div className={classes.pick} role="group" aria-labelledby={id}>
      <Input.Label component="div" id={id} required={required === true}>
        {t(`config:image.${kind}`)}
      </Input.Label>
      <Input.Description>{t(`config:imageHint.${kind}`)}</Input.Description>
      <div className={classes.previews} data-kind={kind}>
        {(['light', 'dark'] as const).map(ground => (
          <div key={ground} className={classes.preview} data-ground={ground}>
            {shown ? (
              <img src={shown} alt={t(`config:preview.${ground}`, { image: t(`config:image.${kind}`) })} />
            ) : (
              <span>{t('config:noImage')}</span>
            )}
          </div>
        ))}
      </div>
      <Dropzone
        className={classes.drop}
        multiple={false}
        accept={accepted}
        disabled={disabled === true}
        onDrop={([dropped]) => {
          setRefused(false)
          if (dropped) onPick(dropped)
        }}
        onReject={() => {
          setRefused(true)
          onPick(null)
          notify.error(t('failures:image.missing'))
        }}
        data-error={complaint ? true : undefined}
        role="button"
        aria-labelledby={`${id} ${id}-file`}
        inputProps={unseen}
      >
        <Group gap="xs" wrap="nowrap">
          <IconPhotoUp size={22} stroke={1.5} aria-hidden />
          <Text size="sm" id={`${id}-file`} className={classes.file}>
            {file ? file.name : t('config:dropImage')}
          </Text>
        </Group>
      </Dropzone>
      {complaint && <Input.Error role="alert">{complaint}</Input.Error>}
      <Group gap="xs" justify="flex-end" className={classes.actions}>
        {file && (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<IconX size={15} aria-hidden />}
            onClick={() => onPick(null)}
          >
            {t('config:unpick')}
          </Button>
        )}
        {children}
      </Group>
    </div>
  )
}

/** An address under which the page can show a file before it is sent. */
function useAddress(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    // oxlint-disable-next-line react/set-state-in-effect -- an address is taken with the file and given back with it
    setAddress(url)
    return () => {
      URL.revokeObjectURL(url)
      setAddress(null)
    }
  }, [file])
  return address
}
