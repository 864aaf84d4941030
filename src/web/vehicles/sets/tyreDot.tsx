/** When a tyre was made, how old it is, and the form that notes its DOT code (docs/product/tyres.md "Age of tyres"). */
import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import { ageOf, type Dots, type MadeIn, maxDotLength, normalizeDot } from '#domain/tyres/dot.ts'
import { labelled } from '../../i18n.ts'
import { Form } from '../../ui/form/form.tsx'
import { messageOf, type Refused, useAnswer, useCall } from '../../shared/api.ts'
import { useFieldErrorText } from '../../shared/form/fieldErrors.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { useToday } from '../../shared/hooks.ts'
import { useUndoable } from '../../shared/undo/undo.ts'

type TyreDotProps = { id: number; mayChange: boolean }

/** The DOT codes of a tyre, fetched by its id. */
export function TyreDot({ id, mayChange }: TyreDotProps) {
  const answer = useAnswer(calls.dots, { tyres: [id] })
  if (answer.isPending) return <Loader size={16} />
  const [dots] = answer.data ?? []
  if (!dots)
    return (
      <Text span size="sm" c="var(--mantine-color-error)">
        {messageOf(answer.error)}
      </Text>
    )
  return <KnownDot id={id} dots={dots} mayChange={mayChange} />
}

/** `alone`: no heading names the subject. */
export function KnownDot({ id, dots, mayChange, alone = false }: TyreDotProps & { dots: Dots; alone?: boolean }) {
  const { t } = useTranslation(['tyres', 'common'])
  const [changing, setChanging] = useState(false)
  if (changing) return <DotForm id={id} dots={dots} close={() => setChanging(false)} />
  return (
    <Stack gap={4} align="start">
      <Age dots={dots} alone={alone} />
      {mayChange && (
        <Button size="compact-xs" variant="default" onClick={() => setChanging(true)}>
          {t(dots.dot || dots.retreaded ? 'tyres:dot.change' : 'tyres:dot.note')}
        </Button>
      )}
    </Stack>
  )
}

function Age({ dots, alone }: { dots: Dots; alone: boolean }) {
  const { t } = useTranslation('tyres')
  const age = ageOf(dots, useToday())
  if (!age) return <Text size="sm">{alone ? labelled(t('dot.dot'), t('dot.unknown')) : t('dot.unknown')}</Text>
  const weekOf = (date: MadeIn) => t('dot.week', { week: String(date.week), year: String(date.year) })
  return (
    <>
      <Text size="sm">
        {[
          age.made && weekOf(age.made),
          age.retreaded && t('dot.retreadedIn', { when: weekOf(age.retreaded) }),
          t('dot.years', { count: age.years }),
          // four digits say no more than the week does
          dots.dot.length > 4 && `DOT ${dots.dot}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {age.warning && (
        <Text size="xs" fw={600} c="var(--mantine-color-error)" data-age={age.warning}>
          {t(`dot.${age.warning}`)}
        </Text>
      )}
    </>
  )
}

/** The field whose code was refused. */
const fieldOf = ({ params }: Refused, { dot }: Dots) => [params.dot === normalizeDot(dot) ? 'dot' : 'retreaded']

function DotForm({ id, dots, close }: { id: number; dots: Dots; close: () => void }) {
  const { t } = useTranslation(['tyres', 'common'])
  const undoable = useUndoable()
  const note = useCall(calls.notedot, {
    doing: 'tyres:dot.saving',
    done: 'tyres:dot.saved',
    shown: ['tyre.dot_unreadable', 'tyre.dot_future', 'tyre.dot_order'],
    offer: ({ dot, retreaded }) =>
      dot === dots.dot && retreaded === dots.retreaded
        ? undefined
        : undoable('dot', {
            tyre: id,
            former: { dot: dots.dot, retreaded: dots.retreaded },
            now: { dot, retreaded },
          }),
  })
  const form = useContractForm({
    initial: { dot: dots.dot, retreaded: dots.retreaded },
    schema: calls.notedot.input,
    input: values => ({ db_id: id, ...values }),
    text: useFieldErrorText(),
    refusals: { 'tyre.dot_unreadable': fieldOf, 'tyre.dot_future': fieldOf, 'tyre.dot_order': 'retreaded' },
  })
  const field = (name: keyof Dots) => ({
    ...form.text(name),
    label: t(`tyres:dot.${name}`),
    maxLength: maxDotLength,
    autoCapitalize: 'characters',
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <Form
      form={form}
      onSubmit={async input => {
        await note.mutateAsync(input)
        close()
      }}
    >
      <Stack gap="xs">
        <TextInput {...field('dot')} description={t('tyres:dot.hint')} data-autofocus />
        <TextInput {...field('retreaded')} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={form.busy}>
            {t('tyres:dot.save')}
          </Button>
          <Button size="xs" variant="default" onClick={close}>
            {t('common:cancel')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
