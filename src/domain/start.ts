import type { Role } from './people/account.ts'
import { isHotel, type Mode } from './site.ts'

/** The address of the screen on which somebody begins (docs/product/screens.md "Home screens"); `mode` is null without a site. */
export function startOf({
  type,
  warehouse,
  mode,
}: {
  readonly type: Role
  readonly warehouse?: boolean | undefined
  readonly mode: Mode | null
}) {
  if (type === 'superuser') return '/superuser'
  if (!warehouse) return '/'
  return mode !== null && isHotel(mode) ? '/admin/intake' : '/account'
}
