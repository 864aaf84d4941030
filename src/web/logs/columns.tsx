/** The columns that the audit and the security log share. */
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { FactLine } from '#domain/people/audit.ts'
import { labelled } from '../i18n.ts'
import { formatMoment } from '../shared/format.ts'
import { isFullConfig, useBranding, useWho } from '../shared/session.ts'
import type { Column } from '../ui/dataTable/column.ts'
import { useTranslation } from '../ui/texts.ts'
import { Unbroken } from '../ui/unbroken.tsx'
import classes from './logs.module.css'

/** A log is named after the namespace of its texts. */
export type LogName = 'audit' | 'security'

/** The time zone of shown times: the site's; UTC for a superuser, who sees many sites. */
export function useZone(): string {
  const site = useBranding()
  const { type } = useWho()
  return type !== 'superuser' && isFullConfig(site) ? site.time_zone : 'UTC'
}

type Entry = {
  readonly at: string
  readonly customer: { readonly name: string } | null
  readonly site: { readonly name: string } | null
}

/** When an entry was written, and for which customer or, for a superuser, at which site. */
export function useLogColumns<Row extends Entry>(name: LogName) {
  const { t } = useTranslation(['audit', 'security'])
  const superuser = useWho().type === 'superuser'
  const zone = useZone()
  const at: Column<Row> = {
    id: 'at',
    header: t(`${name}:column.at`),
    render: entry => (
      <>
        <time dateTime={entry.at}>{formatMoment(entry.at, zone)}</time>
        {superuser && <span className={classes.under}>UTC</span>}
      </>
    ),
  }
  const place: Column<Row> = {
    id: 'place',
    header: t(superuser ? `${name}:column.site` : `${name}:column.customer`),
    render: ({ customer, site }) => (superuser ? site?.name : customer?.name),
  }
  return { at, place }
}

/** The lines of long facts that are shown at first; those of a configuration can fill a page. */
const linesAtFirst = 3
const lettersAtFirst = 160

/** Facts by their names. With `folds` a button shows the rest of long ones. */
export function Facts({ lines, folds = false }: { lines: readonly FactLine[]; folds?: boolean }) {
  const { t } = useTranslation('audit')
  const [open, setOpen] = useState(false)
  const long = folds && (lines.length > linesAtFirst || lines.some(({ value }) => value.length > lettersAtFirst))
  const whole = open || !long
  if (lines.length === 0) return null
  return (
    <>
      <dl className={classes.facts}>
        {(whole ? lines : lines.slice(0, linesAtFirst)).map(({ name, value }, nth) => (
          // the same list has several rows of one name
          // oxlint-disable-next-line react/no-array-index-key
          <div key={nth}>
            <dt>{labelled(name)}</dt>
            <dd>
              <Unbroken>
                {whole || value.length <= lettersAtFirst ? value : `${value.slice(0, lettersAtFirst)}…`}
              </Unbroken>
            </dd>
          </div>
        ))}
      </dl>
      {long && (
        <UnstyledButton className={classes.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'less' : 'more')}
        </UnstyledButton>
      )}
    </>
  )
}
