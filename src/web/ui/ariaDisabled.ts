import type { MouseEvent } from 'react'

/**
 * The last properties of a button that is disabled for now but keeps the focus, which a button with `disabled` loses: saving
 * leaves nothing to save, and a dialog opens on what has to load first.
 */
export const ariaDisabledWhen = (disabled: boolean) =>
  disabled && {
    'aria-disabled': true,
    'data-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  }
