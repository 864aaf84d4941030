import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Tyre } from '#contract/wire.ts'
import { comparePositions } from '#domain/axle.ts'
import { useSite } from '../session.ts'
import { formatDepth } from '../format.ts'
import classes from './card.module.css'

/** The tyres of an operation, with their depth if the site shows it. */
export function TyreList({ tyres, id }: { tyres: readonly Tyre[]; id?: string }) {
  const { t, i18n } = useTranslation('common')
  const { allowProfileDepth } = useSite()
  const sorted = tyres.toSorted((a, b) => comparePositions(a.position, b.position) || a.db_id - b.db_id)
  return (
    <Table id={id} className={classes.tyres} withRowBorders={false} highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('tyre.position')}</Table.Th>
          <Table.Th>{t('tyre.description')}</Table.Th>
          <Table.Th className={classes.wide}>{t('tyre.set')}</Table.Th>
          {allowProfileDepth && <Table.Th className={classes.number}>{t('tyre.depth')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map(tyre => (
          <Table.Tr key={tyre.db_id}>
            <Table.Td>{tyre.position}</Table.Td>
            <Table.Td>
              {tyre.description}
              <span className={classes.underneath}>{tyre.tyre_set ?? t('tyre.setless')}</span>
            </Table.Td>
            <Table.Td className={classes.wide}>
              {tyre.tyre_set ?? <span className={classes.dim}>{t('tyre.setless')}</span>}
            </Table.Td>
            {allowProfileDepth && (
              <Table.Td className={classes.number}>
                {tyre.profile_depth === null ? '–' : t('mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
