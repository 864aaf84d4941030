/** The camera above a screen that is scanned on (docs/product/warehouse.md "Camera"). */
import { ActionIcon, Button } from '@mantine/core'
import { IconBulb, IconBulbFilled, IconCameraOff, IconCameraRotate, IconRefresh, IconX } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { frameShare } from '#domain/warehouse/camera.ts'
import { useAwake } from '../awake.ts'
import { scanFeed } from '../scanFeed.ts'
import { useCamera } from './camera.ts'
import { addressWithout } from '../../shared/cameraDocument.ts'
import classes from './cameraPanel.module.css'

/** The picture of the camera, its state, and its buttons; each label that it reads counts as scanned. */
export function CameraPanel() {
  const { t } = useTranslation(['camera', 'common'])
  const here = useLocation()
  const video = useRef<HTMLVideoElement>(null)
  const [counted, setCounted] = useState(0)
  const { state, cameras, retry, switchLight, nextCamera } = useCamera(video, text => {
    setCounted(nth => nth + 1)
    scanFeed.read(text)
  })
  useAwake()
  const frame = useFrame(video)
  const isOn = state.kind === 'on'
  return (
    <section className={classes.panel} aria-label={t('title')} data-camera={state.kind}>
      <div className={classes.picture}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a camera says nothing */}
        <video ref={video} className={classes.video} playsInline muted aria-hidden />
        {isOn && <div key={counted} className={classes.frame} style={frame} data-counted={counted > 0 || undefined} />}
        {state.kind === 'starting' && <p className={classes.words}>{t('starting')}</p>}
        {state.kind === 'failed' && (
          <div className={classes.problem} role="alert">
            <p>
              <IconCameraOff size={20} aria-hidden /> <strong>{t(`problem.${state.problem}`)}</strong>
            </p>
            <p>{t(`remedy.${state.problem}`)}</p>
            <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={retry}>
              {t('common:retry')}
            </Button>
          </div>
        )}
      </div>
      <p className="wh-hidden" role="status">
        {isOn && t('on')}
      </p>
      <div className={classes.bar}>
        <ActionIcon
          component="a"
          href={addressWithout(here)}
          variant="default"
          size={44}
          aria-label={t('close')}
          title={t('close')}
        >
          <IconX size={24} aria-hidden />
        </ActionIcon>
        {isOn && cameras.length > 1 && (
          <ActionIcon variant="default" size={44} aria-label={t('next')} title={t('next')} onClick={nextCamera}>
            <IconCameraRotate size={22} aria-hidden />
          </ActionIcon>
        )}
        {isOn && state.torch !== null && (
          <ActionIcon
            variant={state.torch ? 'filled' : 'default'}
            size={44}
            aria-label={t('light')}
            title={t('light')}
            aria-pressed={state.torch}
            onClick={() => void switchLight()}
          >
            {state.torch ? <IconBulbFilled size={22} aria-hidden /> : <IconBulb size={22} aria-hidden />}
          </ActionIcon>
        )}
      </div>
    </section>
  )
}

/** The size of the frame on screen: the part of the picture that is read. The picture fills its box. */
function useFrame(video: React.RefObject<HTMLVideoElement | null>) {
  const [side, setSide] = useState(0)
  useEffect(() => {
    const screen = video.current
    if (!screen) return undefined
    const fit = () => {
      const { videoWidth, videoHeight, clientWidth, clientHeight } = screen
      if (videoWidth === 0 || videoHeight === 0) return
      const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight)
      setSide(Math.round(frameShare * Math.min(videoWidth, videoHeight) * scale))
    }
    const sizes = new ResizeObserver(fit)
    sizes.observe(screen)
    screen.addEventListener('resize', fit)
    return () => {
      sizes.disconnect()
      screen.removeEventListener('resize', fit)
    }
  }, [video])
  return { width: side, height: side }
}
