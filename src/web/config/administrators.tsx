/** The administrators of a site, and how it gets its first one. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig as calls } from '#contract/config.ts'
import { useAnswer } from '../shared/api.ts'
import { BouncedAddress } from '../customers/bounced.tsx'
import { formatMoment } from '../shared/format.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { OncePassword, useMadePasswords } from '../ui/oncePassword.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import classes from './config.module.css'
import { NewAdministrator } from './newAdministrator.tsx'

type AdministratorsProps = { site: number; siteEmail: string; timeZone: string }

export function Administrators({ site, siteEmail, timeZone }: AdministratorsProps) {
  const { t } = useTranslation('sites')
  const admins = useAnswer(calls.admins, { id: site })
  const [making, setMaking] = useState(false)
  const { passwords, keep, forget } = useMadePasswords()
  if (!admins.data) {
    return admins.isError ? <Failed error={admins.error} retry={admins.refetch} /> : <Placeholders rows={2} />
  }
  const none = admins.data.length === 0
  return (
    <Stack gap="md">
      <DataTable
        columns={[
          {
            id: 'username',
            header: t('username'),
            render: admin => (
              <>
                <span className={classes.nameLine}>
                  <strong>{admin.username}</strong>
                  {admin.disabled && (
                    <Badge size="sm" color="gray">
                      {t('disabled')}
                    </Badge>
                  )}
                </span>
                {admin.email && (
                  <Text component="span" size="xs" c="dimmed" display="block" className={classes.address}>
                    {admin.email}
                  </Text>
                )}
              </>
            ),
          },
          { id: 'fullname', header: t('fullname'), render: admin => admin.fullname },
          {
            id: 'created',
            header: t('created'),
            render: admin => formatMoment(admin.created, timeZone),
            from: 'sm',
          },
        ]}
        rows={admins.data}
        details={{
          render: ({ bounced }) =>
            bounced && <BouncedAddress bounced={bounced} timeZone={timeZone} advice={t('correctAddress')} />,
          always: ({ bounced }) => bounced !== null,
        }}
        keyOf={admin => admin._id}
        empty={t('noAdministrators')}
        phone={{ heads: 'shown' }}
        frame
      />
      {passwords.map(password => (
        <OncePassword key={password.username} {...password} onSeen={() => forget(password.username)} />
      ))}
      {making || none ? (
        <NewAdministrator
          site={site}
          first={none}
          siteEmail={siteEmail}
          onMade={account => {
            keep(account)
            setMaking(false)
          }}
          onCancel={none ? undefined : () => setMaking(false)}
        />
      ) : (
        <Group>
          <Button
            variant="default"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            onClick={() => setMaking(true)}
          >
            {t('newAdministrator')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
