/** The jobs of the warehouse, for accounts restricted to it (docs/product/accounts.md "Accounts of the warehouse"). */
import { IconChecklist, IconListCheck, IconTruckDelivery, IconTruckLoading, type TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { KeyOf } from '../ui/texts.ts'
import { useTranslation } from '../ui/texts.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useJobs } from './jobs.ts'
import { AsOf } from '../shared/offline/asOf.tsx'
import { Screen } from '../shared/screen.tsx'
import classes from './jobs.module.css'

export function Jobs() {
  const { t } = useTranslation('locations')
  const { waves, counts, toClearUp, answeredAt } = useJobs()
  return (
    <Screen title={t('jobs.title')}>
      <AsOf at={answeredAt} />
      <ul className={classes.jobs}>
        <Job to="/admin/waves" icon={IconTruckDelivery} text="jobs.waves" waiting={waves} />
        <Job to="/admin/waves/load" icon={IconTruckLoading} text="jobs.load" />
        <Job to="/admin/counts" icon={IconListCheck} text="jobs.counts" waiting={counts} />
        <Job to="/admin/clearup" icon={IconChecklist} text="jobs.clearUp" waiting={toClearUp} />
      </ul>
    </Screen>
  )
}

type JobProps = {
  to: NonNullable<LinkProps['to']>
  icon: TablerIcon
  text: KeyOf<'locations'> & `jobs.${string}`
  waiting?: number | undefined
}

function Job({ to, icon: Icon, text, waiting = 0 }: JobProps) {
  const { t, i18n } = useTranslation('locations')
  return (
    <li>
      <Link to={to} className={classes.job}>
        <Icon size={28} stroke={1.6} aria-hidden />
        <span className={classes.text}>{t(text)}</span>
        {waiting > 0 && <span className={classes.count}>{formatNumber(waiting, i18n.language)}</span>}
      </Link>
    </li>
  )
}
