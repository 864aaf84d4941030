/** On a phone everything that the bar has no room for, under the names of its doors: as high as the display, and scrolled. */
import { Modal } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ShownDoor } from '../screens.ts'
import { useTranslation } from '../ui/texts.ts'
import { Waiting } from './waiting.tsx'
import classes from './more.module.css'

/** A door whose first screen lists the others has that one. */
const linksIn = (door: ShownDoor): ShownDoor => (door.lists ? { ...door, views: [door.views[0]] } : door)

export function More({ doors, close }: { doors: readonly ShownDoor[]; close: () => void }) {
  const { t } = useTranslation('nav')
  const here = useLocation({ select: ({ pathname }) => pathname })
  return (
    <Modal opened onClose={close} title={t('more')} fullScreen transitionProps={{ duration: 0 }}>
      <nav className={classes.doors} aria-label={t('more')}>
        {doors.map(linksIn).map(({ name, text, views }) => (
          <section key={name} aria-labelledby={views.length > 1 ? `more-${name}` : undefined}>
            {views.length > 1 && <h3 id={`more-${name}`}>{t(text)}</h3>}
            <ul>
              {views.map(view => (
                <li key={view.text}>
                  <Link
                    to={view.path}
                    {...(view.search && { search: view.search as never })}
                    className={classes.link}
                    data-here={view.path === here || undefined}
                    aria-current={view.path === here ? 'page' : undefined}
                    onClick={close}
                  >
                    <view.icon size={20} stroke={1.7} aria-hidden />
                    {t(view.text)}
                    <Waiting path={view.path} />
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </Modal>
  )
}
