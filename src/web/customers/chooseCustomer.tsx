import { Text } from '@mantine/core'
import { CustomerSearch } from './customerSearch.tsx'
import { useSwitchCustomer } from './switch.ts'
import classes from './chooseCustomer.module.css'

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
