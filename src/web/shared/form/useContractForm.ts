/** A form with the contract's rules, which shows the server's refusals at their fields. */
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { FailureCode } from '#domain/failure.ts'
import { sameValues, valueAt } from '../../ui/form/path.ts'
import { lossOf } from '../../ui/form/loss.ts'
import { type FieldMessages, type Form, type FormOptions, messagesIn, useForm } from '../../ui/form/useForm.ts'
import { fieldsIn, mayBeDone, messageOf, Refused } from '../api.ts'
import { type FieldError, type FieldErrors, fieldErrorsOf } from './fieldErrors.ts'

/** The field of a refusal, or a function that finds its fields among the values. */
type Refusals<V> = Partial<Record<FailureCode, string | ((refused: Refused, values: V) => readonly string[])>>

/** How errors are found and worded. A form with neither has `rules` of its own. */
type Checks<V> =
  | { schema: z.ZodType; text: (error: FieldError) => string }
  | { problems: (values: V) => FieldErrors; text: (error: FieldError) => string }
  | object
type ContractFormOptions<V, I> = Omit<FormOptions<V>, 'errors' | 'notices' | 'onFailure'> &
  Checks<V> & {
    /** Converts the values to the input of the call. */
    input: (values: V, initial: V) => I
    /** Errors by rules that the schema does not have. */
    rules?: (values: V) => FieldMessages
    refusals?: Refusals<V>
  }

export type ContractForm<V, I> = Omit<Form<V>, 'submit'> & {
  /** The values as the input of the call. */
  readonly input: I
  /** Why the server refused the last submission. */
  readonly refused: Refused | null
  /** Whether a part of the input is still as the server refused it. */
  isAsRefused(path: string): boolean
  submit(send: (input: I) => unknown, event?: FormEvent): void
}

export function useContractForm<V extends object, I>({
  input: inputFrom,
  rules = () => ({}),
  refusals = {},
  ...options
}: ContractFormOptions<V, I>): ContractForm<V, I> {
  const [last, setLast] = useState<{ refused: Refused; input: I } | null>(null)
  const sent = useRef<I>(null)
  const isUnsure = useRef(false)
  const [initial] = useState(options.initial)
  const inputOf = (values: V) => inputFrom(values, initial)
  const isAsSent = (values: V, path: string) =>
    last !== null && sameValues(valueAt(inputOf(values), path), valueAt(last.input, path))

  const errors = (values: V) => messagesIn(contractErrors(values), rules(values))
  function contractErrors(values: V): FieldMessages {
    if (!('text' in options)) return {}
    const problems = 'schema' in options ? fieldErrorsOf(options.schema, inputOf(values)) : options.problems(values)
    return Object.fromEntries(Object.entries(problems).map(([path, error]) => [path, options.text(error)]))
  }
  function notices(values: V): FieldMessages {
    if (!last) return {}
    const message = messageOf(last.refused)
    return Object.fromEntries(fieldsOf(last.refused, values).map(path => [path, message]))
  }
  function fieldsOf(refused: Refused, values: V): readonly string[] {
    const about = refusals[refused.code as FailureCode]
    if (typeof about === 'function') return about(refused, values)
    const paths = about === undefined ? fieldsIn(refused) : [about]
    return paths.filter(path => isAsSent(values, path))
  }

  const form = useForm({
    ...options,
    // fields that are never sent can't be lost
    loss:
      options.loss ?? (values => (sameValues(inputOf(values), inputOf(initial)) ? 'nothing' : lossOf(initial, values))),
    errors,
    notices,
    onFailure(failure) {
      if (!(failure instanceof Refused)) return false
      setLast({ refused: failure, input: sent.current as I })
      return true
    },
  })
  const input = inputOf(form.values)
  return {
    ...form,
    input,
    refused: last?.refused ?? null,
    isAsRefused: path => isAsSent(form.values, path),
    submit: (send, event) =>
      form.submit(async () => {
        setLast(null)
        // The same object is the same call (api.ts): a call that may have succeeded is not executed twice.
        const now = isUnsure.current && sameValues(sent.current, input) ? (sent.current as I) : input
        sent.current = now
        isUnsure.current = false
        try {
          await send(now)
        } catch (error) {
          isUnsure.current = mayBeDone(error)
          throw error
        }
      }, event),
  }
}
