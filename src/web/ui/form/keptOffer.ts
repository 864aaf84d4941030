/** Kept input is offered once: by the form itself, and as long as no form in sight does, by a toast that leads there. */
import { useEffect } from 'react'
import { notify } from '../notify.ts'

const toast = 'kept'
let offersInSight = 0

/** Says that a form will offer what was typed. */
export function sayThatInputIsKept(words: string): void {
  if (offersInSight === 0) notify.info(words, { id: toast })
}

/** The offer is in sight as long as the component is: a toast would lie over its buttons on a phone. */
export function useOfferInSight(): void {
  useEffect(() => {
    offersInSight++
    notify.hide(toast)
    return () => void offersInSight--
  }, [])
}
