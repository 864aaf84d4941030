/** Errors of form fields, derived from the contract's own schema, and their texts. */
import { useTranslation } from '../../ui/texts.ts'
import type { z } from 'zod'
import { valueAt } from '../../ui/form/path.ts'

/** Why a field can't be as it is. */
export type FieldError =
  | { why: 'required' | 'whole' | 'email' | 'address' | 'time' | 'digits' | 'cents' | 'twice' | 'mistyped' | 'invalid' }
  | { why: 'tooLong' | 'tooLarge' | 'tooSmall'; limit: number }

/** Errors by the path of the field: `adminEmail`, `driver.email`, `urls.2`. */
export type FieldErrors = Readonly<Record<string, FieldError>>

type Issue = z.core.$ZodIssue

/** The error of each field of `input`; empty when it can be sent. */
export function fieldErrorsOf(schema: z.ZodType, input: unknown): FieldErrors {
  const parsed = schema.safeParse(input)
  const errors: Record<string, FieldError> = {}
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.join('.')
    errors[path] ??= errorOf(issue, valueAt(input, path))
  }
  return errors
}

/** The fields whose text has a form of its own, which a regular expression checks. */
const formats: Record<string, 'address' | 'time' | 'digits'> = {
  urls: 'address',
  cutoffHour: 'time',
  article_number: 'digits',
}

function errorOf(issue: Issue, value: unknown): FieldError {
  const empty = value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  if (empty) return { why: 'required' }
  switch (issue.code) {
    case 'too_big':
      return { why: issue.origin === 'string' ? 'tooLong' : 'tooLarge', limit: Number(issue.maximum) }
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? { why: 'tooSmall', limit: Number(issue.minimum) }
        : { why: 'required' }
    case 'not_multiple_of':
      return { why: 'cents' }
    case 'invalid_type':
      if (Number.isNaN(value)) return { why: 'cents' }
      return { why: typeof value === 'number' ? 'whole' : 'required' }
    case 'invalid_format':
      if (issue.format === 'email') return { why: 'email' }
      return {
        why: formats[String(issue.path.find(piece => typeof piece === 'string' && piece in formats))] ?? 'invalid',
      }
    case 'invalid_union': {
      // For an empty value or a wrong format the message names the expected one.
      const inner = issue.errors.flat().find(({ code }) => code !== 'invalid_value')
      return inner ? errorOf(inner, value) : { why: 'invalid' }
    }
    case 'custom':
      return customError(issue.message)
    default:
      return { why: 'invalid' }
  }
}

/** The error behind a custom rule: a duplicate value, a number with a wrong check digit, else a missing value. */
const customError = (message: string): FieldError => ({
  why: message === 'twice' || message === 'mistyped' ? message : 'required',
})

/** Says an error in the language of the page. */
export function useFieldErrorText(): (error: FieldError) => string {
  const { t } = useTranslation()
  return error =>
    'limit' in error
      ? // characters are counted; a number is compared
        t(`complaint.${error.why}`, { count: error.limit, limit: error.limit })
      : t(`complaint.${error.why}`)
}
