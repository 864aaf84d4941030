import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { OperationTyre } from '#contract/wire.ts'
import { useSite } from '../shared/session.ts'
import { formatDepth, formatMoment } from '../shared/format.ts'
import { StatusBadge, Rack } from '../shared/trade.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './desk.module.css'

/** The tyres of an operation, and when each was scanned for it. */
export function TyreTable({ tyres }: { tyres: readonly OperationTyre[] }) {
  const { t, i18n } = useTranslation(['common', 'desk'])
  const { allowProfileDepth, time_zone } = useSite()
  return (
    <DataTable
      columns={[
        {
          id: 'scanned',
          header: t('desk:scanned'),
          render: ({ scanned, scanRegisteredAt, missing }) =>
            missing ? (
              t('tyre.missing')
            ) : scanned ? (
              <span className={classes.scanned}>
                <IconCheck size={15} aria-hidden />
                {scanRegisteredAt ? formatMoment(scanRegisteredAt, time_zone) : t('yes')}
              </span>
            ) : (
              t('no')
            ),
        },
        { id: 'id', header: t('tyre.id'), render: tyre => tyre.db_id },
        { id: 'position', header: t('tyre.position'), render: tyre => tyre.position },
        { id: 'description', header: t('tyre.description'), render: tyre => tyre.description },
        { id: 'set', header: t('tyre.set'), render: tyre => tyre.tyre_set ?? t('tyre.setless') },
        allowProfileDepth && {
          id: 'depth',
          header: t('tyre.depth'),
          render: ({ profile_depth: depth }) => depth !== null && t('mm', { depth: formatDepth(depth, i18n.language) }),
        },
        { id: 'rack', header: t('tyre.rack'), render: tyre => <Rack name={tyre.stock_rack} /> },
        { id: 'status', header: t('tyre.status'), render: tyre => <StatusBadge tyre={tyre.tyre_status} /> },
      ]}
      rows={tyres}
      keyOf={tyre => tyre.db_id}
      frame={{ label: t('desk:tyres'), minWidth: 560 }}
      className={classes.tyres}
      spacing="0.25rem"
      still
    />
  )
}
