import type { RefObject } from 'react'

/** To the first field of a form that complains, once what it complains of is drawn. */
export function toFirstComplaint(form: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() =>
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error][tabindex]')?.focus(),
  )
}
