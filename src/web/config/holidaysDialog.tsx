/** The public holidays of a country in a year, to be closed. */
import { Checkbox, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { countries, type Country, countryOf, publicHolidays } from '#domain/operations/closedDays.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { dayName } from '../shared/weekdays.ts'
import { Choice } from '../ui/select.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { useForm } from '../ui/form/useForm.ts'
import type { EditedSite } from './editing.ts'
import { useEntries } from './entries.tsx'
import { PlannedWarning } from './plannedRecalls.tsx'

/** How many years are offered, this one included. */
const offeredYears = 4

type HolidaysProps = { site: EditedSite; today: IsoDate; opened: boolean; onClose: () => void }

export function HolidaysDialog({ site, today, ...dialog }: HolidaysProps) {
  const { t } = useTranslation('config')
  return (
    <FormDialog {...dialog} title={t('closedDays.addHolidays')} lost="">
      {controls => <Holidays site={site} today={today} dialog={controls} />}
    </FormDialog>
  )
}

function Holidays({ site, today, dialog }: { site: EditedSite; today: IsoDate; dialog: DialogControls }) {
  const { t, i18n } = useTranslation('config')
  const save = useEntries(site)
  const form = useForm({ initial: {} })
  const thisYear = Number(today.slice(0, 4))
  const [country, setCountry] = useState<Country>(countryOf(site.saved.time_zone) ?? countries[0])
  const [year, setYear] = useState(thisYear)
  const [left, setLeft] = useState<readonly IsoDate[]>([])
  const names = new Intl.DisplayNames(i18n.language, { type: 'region' })
  const isClosed = (day: IsoDate) => site.saved.closedDays.some(other => other.day === day)
  const offered = publicHolidays(country, year).filter(({ day }) => day >= today)
  const chosen = offered.filter(({ day }) => !isClosed(day) && !left.includes(day))
  return (
    <Form
      form={form}
      onSubmit={async () => {
        await save({ closedDays: chosen })
        dialog.close()
      }}
    >
      <Stack>
        <SimpleGrid cols={2}>
          <Choice
            label={t('closedDays.country')}
            data={countries.map(code => ({ value: code, label: names.of(code) ?? code }))}
            value={country}
            onChange={code => code && setCountry(code as Country)}
            data-autofocus
          />
          <Choice
            label={t('closedDays.year')}
            data={Array.from({ length: offeredYears }, (_, later) => String(thisYear + later))}
            value={String(year)}
            onChange={chosenYear => chosenYear && setYear(Number(chosenYear))}
          />
        </SimpleGrid>
        {offered.length === 0 ? (
          <Text size="sm">{t('closedDays.gone')}</Text>
        ) : (
          <Checkbox.Group
            label={t('section.closedDays')}
            value={[...chosen.map(({ day }) => day), ...offered.map(({ day }) => day).filter(isClosed)]}
            onChange={days => setLeft(offered.map(({ day }) => day).filter(day => !days.includes(day)))}
          >
            <Stack gap="xs" mt="xs">
              {offered.map(({ day, holiday }) => (
                <Checkbox
                  key={day}
                  value={day}
                  disabled={isClosed(day)}
                  label={holiday && t(`holiday.${holiday}`)}
                  description={[dayName(day, i18n.language), isClosed(day) && t('closedDays.there')]
                    .filter(Boolean)
                    .join(' · ')}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <PlannedWarning site={site} days={chosen.map(({ day }) => day)} />
        <FormActions
          form={form}
          dialog={dialog}
          submit={t('closedDays.add', { count: chosen.length })}
          disabled={chosen.length === 0}
        />
      </Stack>
    </Form>
  )
}
