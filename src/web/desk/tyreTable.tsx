import { Table } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { OperationTyre } from '#contract/wire.ts'
import { useSite } from '../shared/session.ts'
import { formatDepth, formatMoment } from '../shared/format.ts'
import { StatusBadge } from '../shared/trade.tsx'
import classes from './desk.module.css'

/** The tyres of an operation; with `scanned`, when each was scanned for it. */
export function TyreTable({ tyres, scanned = false }: { tyres: readonly OperationTyre[]; scanned?: boolean }) {
  const { t, i18n } = useTranslation(['common', 'admin'])
  const { allowProfileDepth, time_zone } = useSite()
  return (
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="region" aria-label={t('admin:tyres')}>
      <Table className={classes.tyres} verticalSpacing={4} highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            {scanned && <Table.Th>{t('admin:scanned')}</Table.Th>}
            <Table.Th>{t('tyre.id')}</Table.Th>
            <Table.Th>{t('tyre.position')}</Table.Th>
            <Table.Th>{t('tyre.description')}</Table.Th>
            <Table.Th>{t('tyre.set')}</Table.Th>
            {allowProfileDepth && <Table.Th>{t('tyre.depth')}</Table.Th>}
            <Table.Th>{t('tyre.rack')}</Table.Th>
            <Table.Th>{t('tyre.status')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tyres.map(tyre => (
            <Table.Tr key={tyre.db_id}>
              {scanned && (
                <Table.Td>
                  {tyre.scanned ? (
                    <span className={classes.scanned}>
                      <IconCheck size={15} aria-hidden />
                      {tyre.scanRegisteredAt ? formatMoment(tyre.scanRegisteredAt, time_zone) : t('yes')}
                    </span>
                  ) : (
                    t('no')
                  )}
                </Table.Td>
              )}
              <Table.Td>{tyre.db_id}</Table.Td>
              <Table.Td>{tyre.position}</Table.Td>
              <Table.Td>{tyre.description}</Table.Td>
              <Table.Td>{tyre.tyre_set ?? t('tyre.setless')}</Table.Td>
              {allowProfileDepth && (
                <Table.Td>
                  {tyre.profile_depth !== null && t('mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })}
                </Table.Td>
              )}
              <Table.Td>{tyre.stock_rack ?? ''}</Table.Td>
              <Table.Td>
                <StatusBadge tyre={tyre.tyre_status} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
