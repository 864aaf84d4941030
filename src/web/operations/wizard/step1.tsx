/** Step 1: which vehicle. */
import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconInfoCircle } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { answerTo, messageOf, queryClient, Refused, useAnswer } from '../../shared/api.ts'
import { useFleet, useSeesSite } from '../../shared/session.ts'
import { Form } from '../../ui/form/form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { notify } from '../../ui/notify.ts'
import { OnlyCustomer } from '../../customers/onlyCustomer.tsx'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { NewVehicle } from '../../vehicles/newVehicle.tsx'
import { VehicleLine } from '../../vehicles/vehicleLine.tsx'
import { Frame } from './frame.tsx'
import { withPlate } from './plates.ts'
import { Suggestions } from './suggestions.tsx'
import classes from './wizard.module.css'

/** The field takes the focus after so many milliseconds, when the screen has settled. */
const plateFocusDelayMs = 100

/**
 * The plate is kept in the address, so that the list and the form survive a reload and 'back' leads to the field. A customer's plate is searched in
 * the loaded fleet, also for a customer acted for; for an administrator who acts for no customer the server searches the whole site.
 */
export function Step1() {
  const { plate } = useSearch({ from: '/wizard/step1' })
  const looked = normalizePlate(plate ?? '')
  const before = useLocation({ select: location => location.state.plate })
  return (
    <Frame step={1}>
      {looked === '' ? <PlateField key={before} initial={before} /> : <Found key={looked} plate={looked} />}
    </Frame>
  )
}

function PlateField({ initial = '' }: { initial?: string | undefined }) {
  // the texts of the suggestions too: loading them during typing would take the field away for a moment
  const { t } = useTranslation(['wizard', 'vehicles'])
  const seesSite = useSeesSite()
  const fleet = useFleet()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const form = useForm({ initial: { plate: initial } })
  const [caret, setCaret] = useState(initial.length)
  const { plate } = form.values

  useEffect(() => {
    const timer = setTimeout(() => field.current?.focus(), plateFocusDelayMs)
    return () => clearTimeout(timer)
  }, [])
  // Typed text loses its dashes and becomes capitals: without this the caret would jump to the end each time.
  useLayoutEffect(() => {
    if (document.activeElement === field.current) field.current?.setSelectionRange(caret, caret)
  })

  async function lookUp(wanted: string): Promise<readonly Vehicle[] | null> {
    if (seesSite) {
      return queryClient.fetchQuery({ ...answerTo(calls.fetch, { license_plate: wanted }), staleTime: 0 })
    }
    if (fleet.data) return withPlate(fleet.data, wanted)
    notify.error(t('notLoaded'))
    if (fleet.isError) void fleet.refetch()
    return null
  }

  async function proceed() {
    const wanted = normalizePlate(plate)
    if (wanted === '') return
    try {
      const vehicles = await lookUp(wanted)
      const [only] = vehicles ?? []
      if (!vehicles) return
      if (vehicles.length === 1 && only) {
        await navigate({ to: '/wizard/step2', search: { flt_id: only.flt_id }, state: { flt_id: only.flt_id } })
      } else await navigate({ to: '/wizard/step1', search: { plate: wanted } })
    } catch (error) {
      if (!(error instanceof Refused && error.status === 401)) notify.error(messageOf(error))
    }
  }

  return (
    <>
      <Form form={form} onSubmit={proceed} className={classes.plateForm}>
        <TextInput
          {...form.text('plate')}
          ref={field}
          size="lg"
          label={t('plate')}
          description={t('plateHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={t('plateExample')}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            form.set({ plate: normalizePlate(value) })
            setCaret(normalizePlate(value.slice(0, selectionStart ?? value.length)).length)
          }}
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          maxLength={40}
          classNames={{ input: classes.plateField }}
        />
        <Button
          type="submit"
          size="lg"
          disabled={plate === ''}
          loading={form.busy}
          rightSection={<IconArrowRight size={20} aria-hidden />}
        >
          {t('proceed')}
        </Button>
      </Form>
      <Text size="sm" c="dimmed">
        {t('fourSteps')}
      </Text>
      <Suggestions plate={plate} />
    </>
  )
}

/** The result for a plate: several vehicles to pick from, or none and a form to add it. */
function Found({ plate }: { plate: string }) {
  const seesSite = useSeesSite()
  const fleet = useFleet()
  const ofSite = useAnswer(calls.fetch, { license_plate: plate }, { enabled: seesSite })
  const answer = seesSite ? ofSite : fleet
  // A vehicle that is added makes the fleet stale: the form must not turn into something else before the wizard goes on.
  const [first, setFirst] = useState<readonly Vehicle[] | null>(null)
  const matches = first ?? (answer.data ? withPlate(answer.data, plate) : null)
  if (first === null && matches !== null) setFirst(matches)

  if (!matches)
    return answer.isError ? <Failed error={answer.error} retry={answer.refetch} /> : <Placeholders rows={3} />
  if (matches.length === 0) return <Unknown plate={plate} />
  return matches.length === 1 ? <PlateField initial={plate} /> : <PickList plate={plate} vehicles={matches} />
}

function GoBack({ plate }: { plate: string }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  return (
    <Button
      variant="default"
      leftSection={<IconArrowLeft size={18} aria-hidden />}
      onClick={() => void navigate({ to: '/wizard/step1', search: {}, state: { plate }, replace: true })}
    >
      {t('goBack')}
    </Button>
  )
}

function PickList({ plate, vehicles }: { plate: string; vehicles: readonly Vehicle[] }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  return (
    <Stack gap="md">
      <div role="status">
        <Title order={2}>{t('several')}</Title>
      </div>
      <ul className={classes.picks}>
        {vehicles.map(vehicle => (
          <li key={vehicle.flt_id}>
            <Paper className={classes.pick}>
              <VehicleLine vehicle={vehicle} />
              <Button
                rightSection={<IconArrowRight size={18} aria-hidden />}
                aria-label={t('proceedWith', { vehicle: `${vehicle.brand} ${vehicle.description}` })}
                onClick={() =>
                  void navigate({
                    to: '/wizard/step2',
                    search: { flt_id: vehicle.flt_id },
                    state: { flt_id: vehicle.flt_id },
                  })
                }
              >
                {t('proceed')}
              </Button>
            </Paper>
          </li>
        ))}
      </ul>
      <Group>
        <GoBack plate={plate} />
      </Group>
    </Stack>
  )
}

function Unknown({ plate }: { plate: string }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  return (
    <Stack gap="md">
      <Alert icon={<IconInfoCircle aria-hidden />} role="status">
        <Stack gap="xs" align="flex-start">
          {t('none')}
          {/* the plate may be another customer's */}
          <OnlyCustomer />
        </Stack>
      </Alert>
      <Suggestions plate={plate} />
      <NewVehicle
        plate={plate}
        submit={t('proceed')}
        onAdded={({ flt_id }) =>
          void navigate({ to: '/wizard/step2', search: { flt_id }, state: { flt_id }, replace: true })
        }
      >
        <GoBack plate={plate} />
      </NewVehicle>
    </Stack>
  )
}
