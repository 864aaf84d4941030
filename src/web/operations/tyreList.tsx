import { Badge } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { OperationTyre } from '#contract/wire.ts'
import { useSite } from '../shared/session.ts'
import { BelowCell, Dimmed } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { formatDepth } from '../shared/format.ts'
import { inPositionOrder } from '../vehicles/diagram/positionOrder.ts'

/** The tyres of an operation, with their depth if the site shows it. */
export function TyreList({ tyres, id }: { tyres: readonly OperationTyre[]; id?: string }) {
  const { t, i18n } = useTranslation('common')
  const { allowProfileDepth } = useSite()
  return (
    <DataTable
      columns={[
        { id: 'position', header: t('tyre.position'), render: tyre => tyre.position },
        {
          id: 'description',
          header: t('tyre.description'),
          render: tyre => (
            <>
              {tyre.description}
              {tyre.missing && (
                <Badge size="sm" variant="light" color="orange" ml="xs">
                  {t('tyre.missing')}
                </Badge>
              )}
              <BelowCell>{tyre.tyre_set ?? t('tyre.setless')}</BelowCell>
            </>
          ),
        },
        {
          id: 'set',
          header: t('tyre.set'),
          render: tyre => tyre.tyre_set ?? <Dimmed>{t('tyre.setless')}</Dimmed>,
          from: 'sm',
        },
        allowProfileDepth && {
          id: 'depth',
          header: t('tyre.depth'),
          render: ({ profile_depth: depth }) =>
            depth === null ? '–' : t('mm', { depth: formatDepth(depth, i18n.language) }),
          align: 'end',
        },
      ]}
      rows={inPositionOrder(tyres)}
      keyOf={tyre => tyre.db_id}
      phone={{ heads: 'shown' }}
      spacing="3px"
      id={id}
      borderless
      still
    />
  )
}
