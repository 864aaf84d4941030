import type { LinkProps } from '@tanstack/react-router'
import type { SettingsPage } from '../searchParams.ts'
import type { EditedSite } from './editing.ts'

/** Where a page of these settings is, and a section or field on it. */
export const settingsAddress =
  ({ saved, superuser }: EditedSite) =>
  (page: SettingsPage, hash?: string): LinkProps => ({
    ...(superuser
      ? { to: '/superuser/config', search: { id: saved._id, page } }
      : { to: '/admin/config', search: { page } }),
    ...(hash && { hash }),
  })
