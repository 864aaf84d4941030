/** The question before a transport method is removed: which one its open recalls get. */
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { transports as calls } from '#contract/transports.ts'
import { say } from '../i18n.ts'
import { ask, messageOf } from '../shared/api.ts'
import { describedIn } from '../operations/deliveryDays.ts'
import { Choice } from '../ui/select.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { notify } from '../ui/notify.ts'
import type { Entry } from './entries.tsx'

type Transport = Entry<'transportMethods'>

/** The removal of a transport method: move its recalls to another one, or add another one first. */
type Answer = { remove: true; by?: number } | { remove: false; add: boolean }

/** Asks whether to remove a transport method. `id` is the site; `methods` are all of it. */
export async function askRemoval(
  method: Transport,
  { id, methods }: { id: number; methods: readonly Transport[] },
): Promise<Answer> {
  let count: number
  try {
    ;({ recall_count: count } = await ask(calls.usage, { id, transport: method._id }))
  } catch (error) {
    notify.error(messageOf(error))
    return { remove: false, add: false }
  }
  const others = methods.filter(other => other._id !== method._id)
  const first = others.find(other => other.default) ?? others[0]
  const question = { title: say('config:removeQuestion.transportMethods'), confirm: say('config:remove'), danger: true }
  const { name } = method
  if (count === 0) {
    const sure = await confirmFirst({ ...question, text: say('config:removeText.transportMethods', { name }) })
    return sure ? { remove: true } : { remove: false, add: false }
  }
  if (!first) {
    const text = say('config:replaceFirst', { name, count })
    const add = await confirmFirst({ title: question.title, text, confirm: say('config:addTo.transportMethods') })
    return { remove: false, add }
  }
  let by = first._id
  const sure = await confirmFirst({
    ...question,
    text: <Replacement name={name} count={count} others={others} first={by} onChange={chosen => (by = chosen)} />,
    confirm: say('config:replace', { count }),
  })
  return sure ? { remove: true, by } : { remove: false, add: false }
}

type ReplacementProps = {
  name: string
  count: number
  others: readonly Transport[]
  first: number
  onChange: (id: number) => void
}

function Replacement({ name, count, others, first, onChange }: ReplacementProps) {
  const { t, i18n } = useTranslation('config')
  const [chosen, setChosen] = useState(first)
  return (
    <Stack gap="sm">
      <Text size="sm">{t('replaceText', { name, count })}</Text>
      <Choice
        label={t('replaceBy')}
        data={others.map(method => ({ value: String(method._id), label: describedIn(i18n.language, method) }))}
        value={String(chosen)}
        onChange={id => {
          if (id === null) return
          setChosen(Number(id))
          onChange(Number(id))
        }}
      />
      <Text size="xs" c="dimmed">
        {t('replaceHint')}
      </Text>
    </Stack>
  )
}
