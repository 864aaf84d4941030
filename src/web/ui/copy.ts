import { say } from '../i18n.ts'
import { notify } from './notify.ts'

/** Copies text to the clipboard and shows a toast. `done` replaces its text. Returns whether it worked. */
export async function copyText(text: string, done: string = say('common:copied')): Promise<boolean> {
  const copied = (await writeClipboard(text)) || writeBySelection(text)
  if (copied) notify.success(done)
  else notify.error(say('common:copyFailed'))
  return copied
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Without https there is no `navigator.clipboard`: a warehouse that reaches the portal by an address still copies. */
function writeBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  const before = document.activeElement
  field.value = text
  field.readOnly = true
  field.className = 'wh-offscreen'
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}
