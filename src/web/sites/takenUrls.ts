import { siteUrl } from '#contract/config.ts'
import type { Refused } from '../shared/api.ts'

/** The paths of the addresses that another site has, as the server named them. */
export const takenUrls = ({ params }: Refused, { urls }: { readonly urls: readonly string[] }): string[] =>
  urls.flatMap((url, index) => {
    const host = siteUrl.safeParse(url)
    return host.success && [params.urls].flat().includes(host.data) ? [`urls.${index}`] : []
  })
