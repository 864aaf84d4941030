import { useRouter } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { useWhenGone } from '../ui/hooks.ts'

/** Whether the screen is left: it is gone, or the next one is on its way, which takes seconds on a slow network. */
export function useIsLeft(): () => boolean {
  const router = useRouter()
  const [here] = useState(router.latestLocation.pathname)
  const isGone = useRef(false)
  useWhenGone(() => void (isGone.current = true))
  return useCallback(() => isGone.current || router.latestLocation.pathname !== here, [router, here])
}
