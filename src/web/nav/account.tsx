/** The menu of the signed-in user: language, colour scheme, sign-out. */
import { Menu, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import {
  IconDeviceDesktop,
  IconHistory,
  IconKey,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
  type TablerIcon,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { languageCodes } from '#domain/people/account.ts'
import { messageOf } from '../shared/api.ts'
import { useLanguageChoice } from '../account/languageChoice.ts'
import { signOut, useWho } from '../shared/session.ts'
import { languageNames } from '../shared/languages.ts'
import { notify } from '../ui/notify.ts'
import { ChangePasswordDialog } from '../account/changePasswordDialog.tsx'
import classes from './shell.module.css'

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const satisfies Record<
  MantineColorScheme,
  TablerIcon
>

const Recent = lazy(async () => ({ default: (await import('../shared/undo/recent.tsx')).Recent }))

const failed = (error: Error) => notify.error(messageOf(error))

export function AccountMenu() {
  const { t } = useTranslation('nav')
  const who = useWho()
  const role = who.warehouse ? 'warehouse' : who.type
  const navigate = useNavigate()
  const [changing, setChanging] = useState(false)
  const [looking, setLooking] = useState(false)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { chosen, choose } = useLanguageChoice()
  const goOut = useMutation({
    mutationFn: async () => {
      const next = await signOut()
      // the provider sends the browser back to the start
      if (next !== undefined) return location.assign(next)
      // The next user does not start on this screen.
      await navigate({ to: '/', replace: true })
    },
    onError: failed,
  })

  return (
    <>
      <Menu position="top-start" width={232} shadow="md" withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.who}>
            <span className={classes.initials} aria-hidden>
              {initials(who.fullname || who.username)}
            </span>
            <span className={classes.names}>
              <span className={classes.fullname}>{who.fullname || who.username}</span>
              <span className={classes.role}>{t(`roles.${role}`)}</span>
            </span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('account')}>
          <Menu.Label>
            {who.fullname} · {t(`roles.${role}`)}
          </Menu.Label>
          <Menu.Divider />
          <Menu.RadioGroup value={chosen} onChange={choose}>
            <Menu.Label>{t('language')}</Menu.Label>
            {languageCodes.map(code => (
              <Menu.RadioItem key={code} value={code} lang={languageNames[code].iso}>
                {languageNames[code].name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.RadioGroup value={colorScheme} onChange={scheme => setColorScheme(scheme as MantineColorScheme)}>
            <Menu.Label>{t('appearance')}</Menu.Label>
            {(Object.keys(schemes) as MantineColorScheme[]).map(scheme => {
              const Icon = schemes[scheme]
              return (
                <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} aria-hidden />}>
                  {t(scheme)}
                </Menu.RadioItem>
              )
            })}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item leftSection={<IconHistory size={18} aria-hidden />} onClick={() => setLooking(true)}>
            {t('recent')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUserCircle size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/account' })}
          >
            {t('myAccount')}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={18} aria-hidden />} onClick={() => setChanging(true)}>
            {t('changePassword')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={18} aria-hidden />} onClick={() => goOut.mutate()}>
            {t('signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePasswordDialog opened={changing} onClose={() => setChanging(false)} />
      {looking && (
        <Suspense>
          <Recent close={() => setLooking(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The first letters of the first and the last word of a name. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words.at(0), words.length > 1 ? words.at(-1) : ''].map(word => word?.charAt(0).toUpperCase() ?? '').join('')
}
