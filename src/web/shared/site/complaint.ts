/** Why a field of a site's forms can't be as it is (SPEC §5 "Site config"). The rules are the contract's; these are its words. */
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'

export type Complaint =
  | { why: 'required' | 'whole' | 'email' | 'address' | 'time' | 'digits' | 'cents' | 'invalid' }
  | { why: 'tooLong' | 'tooLarge' | 'tooSmall'; limit: number }

type Issue = z.core.$ZodIssue
/** Complaints by the path of the field: `adminEmail`, `urls.2`. */
export type Complaints = Readonly<Record<string, Complaint>>

/** What is wrong with each field of `input`; nothing for a form that can be sent. */
export function complaintsBy(schema: z.ZodType, input: unknown): Complaints {
  const parsed = schema.safeParse(input)
  const complaints: Record<string, Complaint> = {}
  for (const issue of parsed.error?.issues ?? [])
    complaints[issue.path.join('.')] ??= complaintOf(issue, at(input, issue.path))
  return complaints
}

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, piece) => (value as Record<PropertyKey, unknown> | null | undefined)?.[piece], input)

/** Text that is no number or no address is of a field whose name says which it should have been. */
const formats: Record<string, 'address' | 'time' | 'digits'> = {
  urls: 'address',
  cutoffHour: 'time',
  article_number: 'digits',
}

function complaintOf(issue: Issue, value: unknown): Complaint {
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
    case 'custom':
      return { why: 'required' }
    default:
      return { why: 'invalid' }
  }
}

/** A complaint in the language of the page. */
export function useComplaintText(): (complaint: Complaint) => string {
  const { t } = useTranslation('config')
  return complaint =>
    'limit' in complaint ? t(`complaint.${complaint.why}`, { count: complaint.limit }) : t(`complaint.${complaint.why}`)
}
