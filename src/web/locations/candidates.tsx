/** The tyres that an orphan may be, likeliest first, and why. */
import { Badge, Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { wheels as calls } from '#contract/wheels.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'

export function Candidates({ orphan, onClose }: { orphan: number; onClose: () => void }) {
  const { t } = useTranslation('locations')
  const { data, error, refetch } = useAnswer(calls.candidates, { orphan })
  const identify = useCall(calls.identify, { done: 'common:performed' })
  return (
    <Modal opened onClose={onClose} title={t('clearUp.action.identify')} size="xl">
      {!data ? (
        error ? (
          <Failed error={error} retry={refetch} />
        ) : (
          <Placeholders rows={4} height={52} />
        )
      ) : data.length === 0 ? (
        <Empty text={t('clearUp.orphan.noCandidates')} />
      ) : (
        <DataTable
          columns={[
            {
              id: 'wheel',
              header: t('clearUp.wheel'),
              render: tyre => (
                <>
                  <VehiclePlate plate={tyre.license_plate} id={tyre.flt_id} size="sm" />{' '}
                  <Text size="xs" c="dimmed" component="span">
                    {tyre.companyname}
                  </Text>
                  <br />
                  <strong>{tyre.position}</strong> {tyre.description}
                </>
              ),
            },
            {
              id: 'why',
              header: t('clearUp.orphan.why'),
              render: tyre => (
                <Group gap={4}>
                  {tyre.why.map(reason => (
                    <Badge key={reason} variant="light" tt="none">
                      {t(`clearUp.likeness.${reason}`)}
                    </Badge>
                  ))}
                </Group>
              ),
            },
            {
              id: 'choose',
              header: t('clearUp.actions'),
              headerHidden: true,
              align: 'end',
              width: '1%',
              render: tyre => (
                <Button
                  size="xs"
                  variant="default"
                  loading={identify.isPending}
                  onClick={async () => {
                    await identify.mutateAsync({ orphan, db_id: tyre.db_id })
                    onClose()
                  }}
                >
                  {t('clearUp.orphan.isThis')}
                </Button>
              ),
            },
          ]}
          rows={data}
          keyOf={tyre => tyre.db_id}
        />
      )}
    </Modal>
  )
}
