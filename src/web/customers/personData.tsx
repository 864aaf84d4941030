/** Exports or erases the personal data of an account. */
import { Menu } from '@mantine/core'
import { IconDownload, IconUserX } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Account } from '#contract/customers.ts'
import { people as calls } from '#contract/people.ts'
import { useCall } from '../shared/api.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { RowMenu } from '../ui/rowMenu.tsx'
import { useJsonDownload } from '../shared/downloadJson.ts'

type PersonDataProps = {
  account: Account
  /** The own account can be exported, but not erased. */
  own: boolean
  /** The row is removed with the focused control. */
  erased: () => void
}

export function PersonData({ account: { _id, username }, own, erased }: PersonDataProps) {
  const { t } = useTranslation('customers')
  const download = useJsonDownload(calls.account, {
    name: `${t('accountFile')}-${username}`,
    done: t('accountExported'),
  })
  const erase = useCall(calls.eraseaccount, { doing: 'customers:erasingAccount', done: 'customers:accountErased' })
  async function press() {
    const sure = await confirmFirst({
      title: t('eraseQuestion', { username }),
      text: t('eraseText'),
      confirm: t('erase'),
      danger: true,
    })
    if (sure) erase.mutate({ _id }, { onSuccess: erased })
  }
  return (
    <RowMenu label={t('dataOf', { username })} loading={download.isPending || erase.isPending}>
      <Menu.Item leftSection={<IconDownload size={18} aria-hidden />} onClick={() => download.mutate({ _id })}>
        {t('exportData')}
      </Menu.Item>
      {!own && (
        <Menu.Item color="red" leftSection={<IconUserX size={18} aria-hidden />} onClick={() => void press()}>
          {t('erase')}
        </Menu.Item>
      )}
    </RowMenu>
  )
}
