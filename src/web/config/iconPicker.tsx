/** The sign of a service, out of the fixed list. One group of radio buttons: arrow keys walk through it. */
import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { createElement, useId, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { isServiceIcon, type ServiceIcon, serviceIconGroups } from '#domain/operations/serviceIcon.ts'
import { serviceIcon } from '../operations/serviceIcons.ts'
import classes from './config.module.css'

type IconPickerProps = { icon: string | null; onPick: (icon: ServiceIcon | null) => void }
const groups = Object.entries(serviceIconGroups) as [keyof typeof serviceIconGroups, readonly ServiceIcon[]][]

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export function IconPicker({ icon, onPick }: IconPickerProps) {
  const { t } = useTranslation('config')
  const [opened, setOpened] = useState(false)
  const [search, setSearch] = useState('')
  const id = useId()
  const sign = serviceIcon({ icon })
  const wanted = plain(search.trim())
  const matches = groups
    .map(([group, icons]) => ({
      group,
      icons: icons.filter(
        name =>
          plain(t(`icon.${name}`)).includes(wanted) ||
          name.includes(wanted) ||
          plain(t(`icons.${group}`)).includes(wanted),
      ),
    }))
    .filter(({ icons }) => icons.length > 0)
  return (
    <div>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={sign && createElement(sign, { size: 20, stroke: 1.6, 'aria-hidden': true })}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
          aria-controls={id}
        >
          {isServiceIcon(icon) ? t('iconChosen', { icon: t(`icon.${icon}`) }) : t('chooseIcon')}
        </Button>
        {icon !== null && (
          <Button variant="subtle" color="gray" onClick={() => onPick(null)}>
            {t('noIcon')}
          </Button>
        )}
      </Group>
      <div id={id}>
        {opened && (
          <div className={classes.iconPanel}>
            <TextInput
              type="search"
              aria-label={t('searchIcon')}
              placeholder={t('searchIcon')}
              leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
              value={search}
              onChange={event => setSearch(event.currentTarget.value)}
              onKeyDown={event => {
                // Enter in the search is no wish to close the dialog
                if (event.key === 'Enter') event.preventDefault()
              }}
              autoComplete="off"
            />
            <div className={classes.iconGroups} role="radiogroup" aria-label={t('chooseIcon')}>
              {matches.length === 0 && (
                <Text size="sm" c="dimmed">
                  {t('nothingFound')}
                </Text>
              )}
              {matches.map(({ group, icons }) => (
                <div key={group}>
                  <div className={classes.iconGroup} aria-hidden>
                    {t(`icons.${group}`)}
                  </div>
                  <div className={classes.icons}>
                    {icons.map(name => {
                      const Icon = serviceIcon({ icon: name })
                      return (
                        <label key={name} className={classes.icon} title={t(`icon.${name}`)}>
                          <input
                            type="radio"
                            name={id}
                            className="wh-hidden"
                            aria-label={t(`icon.${name}`)}
                            checked={icon === name}
                            onChange={() => onPick(name)}
                          />
                          {Icon && <Icon size={24} stroke={1.6} aria-hidden />}
                        </label>
                      )
                    })}
                  </div>
                </div>
              ))}
            </div>
          </div>
        )}
      </div>
    </div>
  )
}
