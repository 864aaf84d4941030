import { Text } from '@mantine/core'
import { CustomerSearch } from '../customers/customerSearch.tsx'
import { useSwitchCustomer } from '../customers/switch.ts'
import classes from './season.module.css'

/** For an administrator who acts for no customer: a fleet belongs to one. */
export function ChooseCustomer({ text }: { text: string }) {
  const exchange = useSwitchCustomer()
  return (
    <div className={classes.customers}>
      <Text mb="md">{text}</Text>
      <CustomerSearch choose={customer => void exchange(customer, { stay: true })} />
    </div>
  )
}
