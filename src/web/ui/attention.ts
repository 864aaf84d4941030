/** Whether this page is in use: touches, keys, the wheel. A page that is only open makes unattended calls. */

const attentionMs = 60_000
let lastInput = Date.now()

if (typeof document !== 'undefined')
  for (const kind of ['pointerdown', 'keydown', 'wheel'])
    document.addEventListener(kind, () => (lastInput = Date.now()), { capture: true, passive: true })

/** The time since the last input on this page, in ms. */
export const untouchedMs = (): number => Date.now() - lastInput

/** Whether there was no input on this page in the last minute. */
export const isUnattended = (): boolean => untouchedMs() > attentionMs
