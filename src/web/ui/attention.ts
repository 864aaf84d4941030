/** Whether somebody uses this page: touches it, types, turns the wheel. A page that is only open does the rest by itself. */

const attentionMs = 60_000
let lastInput = Date.now()

if (typeof document !== 'undefined')
  for (const kind of ['pointerdown', 'keydown', 'wheel'])
    document.addEventListener(kind, () => (lastInput = Date.now()), { capture: true, passive: true })

/** How long ago somebody did something at this page, in ms. */
export const untouchedMs = (): number => Date.now() - lastInput

/** Whether nobody did anything at this page in the last minute. */
export const isUnattended = (): boolean => untouchedMs() > attentionMs
