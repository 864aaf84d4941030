/** The customers of a page of the list; on a phone the columns become lines of one cell. */
import { Table } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedCustomer } from '#contract/customers.ts'
import { TextLink } from '../ui/link.tsx'
import classes from './customers.module.css'

/** What the portal calls a customer everywhere. */
export const shownName = ({ companyname, name }: Pick<ListedCustomer, 'companyname' | 'name'>): string =>
  companyname || name

export function CustomerRows({ customers }: { customers: readonly ListedCustomer[] }) {
  const { t } = useTranslation('customers')
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('customer')}</Table.Th>
            <Table.Th className={classes.code}>{t('field.code')}</Table.Th>
            <Table.Th className={classes.wide}>{t('place')}</Table.Th>
            <Table.Th className={classes.email}>{t('field.email')}</Table.Th>
            <Table.Th className={classes.number}>{t('head.vehicles')}</Table.Th>
            <Table.Th className={classes.number}>{t('head.tyres')}</Table.Th>
            <Table.Th className={classes.number}>{t('head.inStock')}</Table.Th>
            <Table.Th className={classes.number}>{t('accounts')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {customers.map(customer => (
            <Row key={customer.seq_id} customer={customer} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Row({ customer }: { customer: ListedCustomer }) {
  const { t } = useTranslation('customers')
  const search = { ...useSearch({ from: '/admin/customers' }), id: customer.seq_id }
  const navigate = useNavigate()
  const shown = shownName(customer)
  const place = [customer.zipcode, customer.city].filter(Boolean).join(' ')

  function press(event: MouseEvent) {
    const onLink = event.target instanceof Element && event.target.closest('a')
    // Whoever marks a text with the mouse wants to copy it.
    if (onLink || getSelection()?.isCollapsed === false) return
    void navigate({ to: '/admin/customers', search })
  }
  return (
    // The row is a larger target for the pointer; keys and screen readers have the link in it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <Table.Tr className={classes.row} data-customer={customer.seq_id} onClick={press}>
      <Table.Td>
        <TextLink to="/admin/customers" search={search} size="sm" fw={600}>
          {shown}
        </TextLink>
        {customer.name !== shown && <span className={classes.contact}>{customer.name}</span>}
        <span className={classes.underneath}>{[customer.code, place].filter(Boolean).join(' · ')}</span>
        <span className={classes.underneath}>
          {[
            t('vehicles', { count: customer.vehicles }),
            t('inStock', { count: customer.in_stock }),
            t('accountCount', { count: customer.accounts }),
          ].join(' · ')}
        </span>
      </Table.Td>
      <Table.Td className={classes.code}>{customer.code}</Table.Td>
      <Table.Td className={classes.wide}>{place}</Table.Td>
      <Table.Td className={classes.email} title={customer.email}>
        {customer.email}
      </Table.Td>
      <Table.Td className={classes.number}>{customer.vehicles}</Table.Td>
      <Table.Td className={classes.number}>{customer.tyres}</Table.Td>
      <Table.Td className={classes.number}>{customer.in_stock}</Table.Td>
      <Table.Td className={classes.number}>{customer.accounts}</Table.Td>
    </Table.Tr>
  )
}
