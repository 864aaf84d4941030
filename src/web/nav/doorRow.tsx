/** The links of a door at the top of each of its screens (docs/product/screens.md "Doors"). A screen's own tabs stand in its place among them. */
import { Link, useLocation } from '@tanstack/react-router'
import { Fragment, type ReactNode, useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { ShownDoor, ShownView } from '../screens.ts'
import { useOneLine } from '../ui/oneLine.ts'
import { Waiting } from './waiting.tsx'
import classes from './doorRow.module.css'

type DoorRowProps = { door: ShownDoor | undefined; tabs: ReactNode }

export function DoorRow({ door, tabs }: DoorRowProps) {
  const { t } = useTranslation('nav')
  const row = useRef<HTMLDivElement>(null)
  const here = useLocation({ select: ({ pathname }) => pathname })
  useOneLine(row, here)
  const views = door?.views ?? []
  const nth = views.findIndex(({ path }) => path === here)
  if (!door || views.length < 2 || nth === -1) return tabs
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
