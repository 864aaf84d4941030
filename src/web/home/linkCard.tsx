import { IconChevronRight, type TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './home.module.css'

/** A large link to a screen, with a description. */
export function LinkCard({
  to,
  icon: Icon,
  title,
  text,
}: {
  to: NonNullable<LinkProps['to']>
  icon: TablerIcon
  title: string
  text: string
}) {
  return (
    <Link to={to} className={classes.linkCard}>
      <Icon size={28} stroke={1.6} aria-hidden />
      <span>
        <span className={classes.linkCardTitle}>{title}</span>
        <span className={classes.linkCardText}>{text}</span>
      </span>
      <IconChevronRight size={18} aria-hidden className={classes.linkCardOpens} />
    </Link>
  )
}
