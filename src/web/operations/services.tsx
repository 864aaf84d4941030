import { ActionIcon, Button, Group, Input, Menu, Text, Tooltip } from '@mantine/core'
import { IconLock, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation, Service } from '#contract/wire.ts'
import { removableService, servicesToAdd } from '#domain/operations/operation.ts'
import { useSite } from '../shared/session.ts'
import { serviceIcon } from './serviceIcons.ts'
import classes from './card.module.css'
import { describedIn } from './deliveryDays.ts'
import type { EditsOfCard } from './useEdits.ts'

/** The name of a service by its id; one that the site no longer has is 'Unknown'. */
export function useServiceName(): (id: number) => string {
  const { t, i18n } = useTranslation('common')
  const { services } = useSite()
  return id => {
    const service = services.find(({ _id }) => _id === id)
    return service ? describedIn(i18n.language, service) : t('unknown')
  }
}

/** The services of an operation; with `edits` they can be added and removed. */
export function Services({ operation, edits }: { operation: Operation; edits?: EditsOfCard | undefined }) {
  const { t, i18n } = useTranslation(['operations', 'common'])
  const { services } = useSite()
  const nameOf = useServiceName()
  const addable: Service[] = edits ? servicesToAdd(operation, services) : []

  return (
    <div role="group" aria-label={t('operations:services')}>
      <Input.Label component="div" aria-hidden>
        {t('operations:services')}
      </Input.Label>
      <Group gap={6} align="center">
        {operation.services.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('operations:noServices')}
          </Text>
        )}
        {operation.services.length > 0 && (
          <ul className={classes.services}>
            {operation.services.map(id => {
              const name = nameOf(id)
              const service = services.find(({ _id }) => _id === id)
              const removable = removableService(service)
              const Icon = serviceIcon(service)
              return (
                <li key={id} className={classes.service}>
                  {Icon && <Icon size={16} stroke={1.7} aria-hidden />}
                  <span>{name}</span>
                  {!removable && (
                    <Tooltip label={t('operations:blockedService')}>
                      <span className={classes.lock} role="img" aria-label={t('operations:blockedService')}>
                        <IconLock size={15} stroke={1.8} aria-hidden />
                      </span>
                    </Tooltip>
                  )}
                  {edits && removable && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="sm"
                      aria-label={t('operations:removeService', { service: name })}
                      onClick={() => edits.change({ services: operation.services.filter(other => other !== id) })}
                    >
                      <IconX size={15} aria-hidden />
                    </ActionIcon>
                  )}
                </li>
              )
            })}
          </ul>
        )}
        {edits && addable.length > 0 && (
          <Menu position="bottom-start" withinPortal={false}>
            <Menu.Target>
              <Button size="compact-sm" variant="default" leftSection={<IconPlus size={15} aria-hidden />}>
                {t('operations:addService')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {addable.map(service => {
                const Icon = serviceIcon(service)
                return (
                  <Menu.Item
                    key={service._id}
                    leftSection={Icon && <Icon size={16} stroke={1.7} aria-hidden />}
                    onClick={() => edits.change({ services: [...operation.services, service._id] })}
                  >
                    {describedIn(i18n.language, service)}
                  </Menu.Item>
                )
              })}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </div>
  )
}
