/** The links of a door at the top of each of its screens (docs/product/screens.md "Doors"). A screen's own tabs stand in its place among them. */
import { Link, useLocation } from '@tanstack/react-router'
import { IconChevronLeft } from '@tabler/icons-react'
import { Fragment, type ReactNode, useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { rowOf, type ShownDoor, type ShownView } from '../screens.ts'
import { useOneLine } from '../ui/oneLine.ts'
import { Waiting } from './waiting.tsx'
import classes from './doorRow.module.css'

type DoorRowProps = { door: ShownDoor | undefined; tabs: ReactNode }

export function DoorRow({ door, tabs }: DoorRowProps) {
  const { t } = useTranslation('nav')
  const row = useRef<HTMLDivElement>(null)
  const here = useLocation({ select: ({ pathname }) => pathname })
  useOneLine(row, here)
  const views = door ? rowOf(door, here) : []
  if (!door || !views.some(({ path }) => path === here)) return tabs
  const links = (of: readonly ShownView[]) =>
    of.length > 0 && (
      <ul>
        {of.map(({ path, text, search }) => (
          <li key={text}>
            <Link
              to={path}
              {...(search && { search: search as never })}
              className={classes.link}
              aria-current={path === here ? 'page' : undefined}
            >
              {t(text)}
              <Waiting path={path} />
            </Link>
          </li>
        ))}
      </ul>
    )
  return (
    <div ref={row} className={classes.row}>
      {tabs ? (
        <Fragment key={here}>
          {tabs}
          <nav aria-label={t(door.text)}>{links(views.filter(({ path }) => path !== here))}</nav>
        </Fragment>
      ) : (
        <nav aria-label={t(door.text)}>{links(views)}</nav>
      )}
    </div>
  )
}

/** Above the title of a screen: the way back to the one that lists it. */
export function WayBack({ door }: { door: ShownDoor | undefined }) {
  const { t } = useTranslation('nav')
  const [list] = door?.views ?? []
  const isListed = useLocation({
    select: ({ pathname, search }) => pathname !== list?.path || Object.keys(search).length > 0,
  })
  if (!door?.lists || !list || !isListed) return null
  return (
    <Link to={list.path} className={classes.back}>
      <IconChevronLeft size={16} aria-hidden />
      {t(door.text)}
    </Link>
  )
}
