import { isFullConfig, useBranding, useWho } from '../shared/session.ts'

/** On whose clock moments are told: the site's; a superuser, who looks at many, reads them all on one. */
export function useZone(): string {
  const site = useBranding()
  const { type } = useWho()
  return type !== 'superuser' && isFullConfig(site) ? site.time_zone : 'UTC'
}
