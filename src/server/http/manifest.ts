/** How a device shows the portal that somebody has put on its home screen (docs/warehouse.md "On the home screen"). */
import { type OfflineBuild, offlinePaths } from '#contract/offline.ts'

/** The web app manifest of a site with this name. */
export const manifestOf = (name: string, icons: OfflineBuild['icons']) => ({
  name,
  short_name: name,
  id: '/',
  start_url: offlinePaths[0],
  // signing in and the account are in it, too
  scope: '/',
  display: 'standalone',
  background_color: '#f6f8f9',
  theme_color: '#2c7489',
  icons: icons.map(({ src, size, whole }) => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: whole ? 'maskable' : 'any',
  })),
})
