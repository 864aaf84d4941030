/** The customers of a page of the list: a row opens its customer. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { formatNumber } from '#domain/texts/number.ts'
import type { ListedCustomer } from '#contract/customers.ts'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { TextLink } from '../ui/link.tsx'
import classes from './customers.module.css'

/** The name of a customer in all lists. */
export const shownName = ({ companyname, name }: Pick<ListedCustomer, 'companyname' | 'name'>): string =>
  companyname || name

const placeOf = ({ zipcode, city }: ListedCustomer) => [zipcode, city].filter(Boolean).join(' ')

const counts = ['vehicles', 'tyre_count', 'in_stock', 'accounts'] as const

export function CustomerTable({ customers }: { customers: readonly ListedCustomer[] }) {
  const { t, i18n } = useTranslation('customers')
  const search = useSearch({ from: '/admin/customers' })
  const navigate = useNavigate()
  const heads = {
    vehicles: t('head.vehicles'),
    tyre_count: t('head.tyres'),
    in_stock: t('head.inStock'),
    accounts: t('accounts'),
  }
  return (
    <DataTable
      columns={[
        { id: 'name', header: t('customer'), render: customer => <Name customer={customer} /> },
        { id: 'code', header: t('field.code'), render: ({ code }) => code, nowrap: true, from: 'lg' },
        { id: 'place', header: t('place'), render: placeOf, from: 'sm' },
        ...counts.map(count => ({
          id: count,
          header: heads[count],
          render: (customer: ListedCustomer) => formatNumber(customer[count], i18n.language),
          align: 'end' as const,
          from: 'sm' as const,
        })),
      ]}
      rows={customers}
      keyOf={({ seq_id }) => seq_id}
      onRowClick={({ seq_id: id }) => void navigate({ to: '/admin/customers', search: { ...search, id } })}
      rowAttributes={({ seq_id }) => ({ 'data-customer': seq_id })}
      phone={{ heads: 'shown' }}
      frame
    />
  )
}

/** An e-mail address, which may go on in the next line after @ or a dot, and nowhere else. */
const EmailText = ({ email }: { email: string }) =>
  email.split(/(?<=[@.])/).map((part, nth) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text keep their order
    <Fragment key={nth}>
      {nth > 0 && <wbr />}
      {part}
    </Fragment>
  ))

function Name({ customer }: { customer: ListedCustomer }) {
  const { t } = useTranslation('customers')
  const search = { ...useSearch({ from: '/admin/customers' }), id: customer.seq_id }
  const shown = shownName(customer)
  return (
    <>
      <TextLink to="/admin/customers" search={search} size="sm" fw={600}>
        {shown}
      </TextLink>
      {customer.name !== shown && <span className={classes.contact}>{customer.name}</span>}
      {customer.email !== '' && (
        <span className={`${classes.contact} ${classes.email}`}>
          <EmailText email={customer.email} />
        </span>
      )}
      {customer.code !== '' && <BelowCell width="lg">{customer.code}</BelowCell>}
      <BelowCell>{placeOf(customer)}</BelowCell>
      <BelowCell>
        {[
          t('vehicles', { count: customer.vehicles }),
          t('inStock', { count: customer.in_stock }),
          t('accountCount', { count: customer.accounts }),
        ].join(' · ')}
      </BelowCell>
    </>
  )
}
