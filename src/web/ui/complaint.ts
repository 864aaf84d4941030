import type { RefObject } from 'react'

/** To the first field of a form that complains, once what it complains of is drawn. */
export function toFirstComplaint(form: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error][tabindex]')
    // the frame around a password complains, and the field is inside it
    const field = first?.matches('input, textarea, button, [tabindex]') ? first : first?.querySelector('input')
    field?.focus()
  })
}
