import type { MouseEvent } from 'react'

/**
 * The last properties of a button that can't be pressed for now. It has the focus all the same, which a disabled one does not: saving
 * leaves nothing to save, a dialog opens on what has to load first, and the keyboard would be nowhere.
 */
export const barredWhen = (barred: boolean) =>
  barred && {
    'aria-disabled': true,
    'data-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  }
