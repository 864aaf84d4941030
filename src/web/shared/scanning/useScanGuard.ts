/** Labels that are scanned on a screen that takes none: the keys reach nothing, and it is said where scans are taken. */
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isHotel } from '#domain/site.ts'
import { isFullConfig, useBranding, useWho } from '../session.ts'
import { notify } from '../../ui/notify.ts'

/** Intake listens by itself. */
const listening = '/admin/intake'

/**
 * Keeps a scanner's keys from the screens of whoever works in a warehouse: its Enter would press the button that has the focus, and
 * a label would be typed into a field.
 */
export function useScanGuard(): void {
  const { t } = useTranslation('nav')
  const branding = useBranding()
  const { type } = useWho()
  const here = useLocation({ select: ({ pathname }) => pathname })
  const guarded = type === 'admin' && isFullConfig(branding) && isHotel(branding.mode) && here !== listening
  const said = t('scanElsewhere')
  useEffect(() => {
    if (!guarded) return
    let stop = () => {}
    let over = false
    const listen = async () => {
      const { listenForScans } = await import('./scanListener.ts')
      if (!over)
        stop = listenForScans(document, { label: () => notify.info(said, { id: 'scan' }), unreadable: () => {} })
    }
    void listen()
    return () => {
      over = true
      stop()
    }
  }, [guarded, said])
}
