/** The administrators of a site, and how it gets its first one. */
import { Badge, Button, Group, Stack, Table } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hotelconfig as calls } from '#contract/hotelconfig.ts'
import { useAnswer } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { OncePassword } from '../ui/oncePassword.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import classes from './config.module.css'
import { type Made, NewAdministrator } from './newAdministrator.tsx'

export function Administrators({ site, timeZone }: { site: number; timeZone: string }) {
  const { t } = useTranslation('superuser')
  const admins = useAnswer(calls.admins, { id: site })
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  if (!admins.data) {
    return admins.isError ? <Failed error={admins.error} retry={admins.refetch} /> : <Placeholders rows={2} />
  }
  const none = admins.data.length === 0
  return (
    <Stack gap="md">
      {none ? (
        <Empty text={t('noAdministrators')} />
      ) : (
        <div className={classes.frame}>
          <Table className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('username')}</Table.Th>
                <Table.Th>{t('fullname')}</Table.Th>
                <Table.Th className={classes.wide}>{t('created')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {admins.data.map(admin => (
                <Table.Tr key={admin._id}>
                  <Table.Td>
                    <span className={classes.nameLine}>
                      <strong>{admin.username}</strong>
                      {admin.disabled && (
                        <Badge size="sm" color="gray">
                          {t('disabled')}
                        </Badge>
                      )}
                    </span>
                  </Table.Td>
                  <Table.Td>{admin.fullname}</Table.Td>
                  <Table.Td className={classes.wide}>{formatMoment(admin.created, timeZone)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {made && <OncePassword {...made} onSeen={() => setMade(null)} />}
      {making || none ? (
        <NewAdministrator
          site={site}
          first={none}
          onMade={account => {
            setMade(account)
            setMaking(false)
          }}
          onCancel={none ? undefined : () => setMaking(false)}
        />
      ) : (
        <Group>
          <Button
            variant="default"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            onClick={() => {
              setMade(null)
              setMaking(true)
            }}
          >
            {t('newAdministrator')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
