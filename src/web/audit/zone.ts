import { isFullConfig, useBranding, useWho } from '../shared/session.ts'

/** The time zone of shown times: the site's; UTC for a superuser, who sees many sites. */
export function useZone(): string {
  const site = useBranding()
  const { type } = useWho()
  return type !== 'superuser' && isFullConfig(site) ? site.time_zone : 'UTC'
}
