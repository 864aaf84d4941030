/** The public holidays of a country in a year, to be closed. */
import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type ClosedDay, countries, type Country, countryOf, publicHolidays } from '#domain/operations/closedDays.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { dayName } from '../shared/weekdays.ts'
import { Choice } from '../ui/select.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { useEditing } from './editing.ts'

/** How many years are offered, this one included. */
const offeredYears = 4

type HolidaysDialogProps = {
  closed: readonly ClosedDay[]
  today: IsoDate
  onAdd: (days: readonly ClosedDay[]) => void
  onClose: () => void
}

export function HolidaysDialog({ closed, today, onAdd, onClose }: HolidaysDialogProps) {
  const { t, i18n } = useTranslation(['config', 'common'])
  const { base } = useEditing()
  const thisYear = Number(today.slice(0, 4))
  const [country, setCountry] = useState<Country>(countryOf(base.time_zone) ?? countries[0])
  const [year, setYear] = useState(thisYear)
  const [left, setLeft] = useState<readonly IsoDate[]>([])
  const names = new Intl.DisplayNames(i18n.language, { type: 'region' })
  const isClosed = (day: IsoDate) => closed.some(other => other.day === day)
  const offered = publicHolidays(country, year).filter(({ day }) => day >= today)
  const chosen = offered.filter(({ day }) => !isClosed(day) && !left.includes(day))
  return (
    <FormDialog opened onClose={onClose} title={t('config:closedDays.addHolidays')} lost="">
      {dialog => (
        <Stack>
          <SimpleGrid cols={2}>
            <Choice
              label={t('config:closedDays.country')}
              data={countries.map(code => ({ value: code, label: names.of(code) ?? code }))}
              value={country}
              onChange={code => code && setCountry(code as Country)}
              data-autofocus
            />
            <Choice
              label={t('config:closedDays.year')}
              data={Array.from({ length: offeredYears }, (_, later) => String(thisYear + later))}
              value={String(year)}
              onChange={chosenYear => chosenYear && setYear(Number(chosenYear))}
            />
          </SimpleGrid>
          {offered.length === 0 ? (
            <Text size="sm">{t('config:closedDays.gone')}</Text>
          ) : (
            <Checkbox.Group
              label={t('config:section.closedDays')}
              value={[...chosen.map(({ day }) => day), ...offered.map(({ day }) => day).filter(isClosed)]}
              onChange={days => setLeft(offered.map(({ day }) => day).filter(day => !days.includes(day)))}
            >
              <Stack gap="xs" mt="xs">
                {offered.map(({ day, holiday }) => (
                  <Checkbox
                    key={day}
                    value={day}
                    disabled={isClosed(day)}
                    label={holiday && t(`config:holiday.${holiday}`)}
                    description={[dayName(day, i18n.language), isClosed(day) && t('config:closedDays.there')]
                      .filter(Boolean)
                      .join(' · ')}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.cancel}>
              {t('common:cancel')}
            </Button>
            <Button onClick={() => onAdd(chosen)} disabled={chosen.length === 0}>
              {t('config:closedDays.add', { count: chosen.length })}
            </Button>
          </Group>
        </Stack>
      )}
    </FormDialog>
  )
}
