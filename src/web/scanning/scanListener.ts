/** Listens for a barcode scanner anywhere on the screen (docs/product/warehouse.md "Intake"), and keeps its keys from the page. */
import { decodeLabel, type Label, scanStart } from '#domain/warehouse/barcode.ts'
import { type Field, setField } from '../ui/setField.ts'
import { type KeyTarget, scanReader, type Verdict } from './scanReader.ts'

/** Input types in which keys become text. The others (buttons, boxes, sliders) are part of the page. */
const textTypes = new Set(['text', 'search', 'tel', 'url', 'email', 'password', 'number', 'date', 'time', ''])

function fieldOf(event: Event): Field | null {
  const target = event.composedPath()[0]
  if (target instanceof HTMLTextAreaElement) return target.readOnly ? null : target
  if (target instanceof HTMLInputElement && textTypes.has(target.getAttribute('type') ?? ''))
    return target.readOnly ? null : target
  return null
}

/** Restores a field to its content before a scan was typed into it. */
function restoreField(field: Field, value: string, caret: number | null) {
  if (field.value === value) return
  setField(field, value)
  // fields of type number, date and e-mail have no caret to set
  if (caret !== null) field.setSelectionRange(caret, caret)
}

/**
 * A busy machine delivers keys late, though their times are right: so many milliseconds longer than the reader's patience a pause is
 * waited for. The rest of a label that has begun is worth more of them than what a person may be typing.
 */
const lateness = { ofKeys: 60, ofLabel: 1000 } as const

export type ScanHandlers = {
  label(label: Label): void
  /** Called with the text of a scan that is not one of our labels. */
  unreadable(text: string): void
  /** Called with text that a person or a gauge typed while no field had the focus: a line ends with a line break, which comes alone after a pause. */
  typed?: ((text: string) => void) | undefined
}

/** Whether a key has no target: nothing has the focus but the screen as a whole. Buttons and links don't take digits, either. */
function isNobodys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('body, html, main') || target.closest('[data-scan-card]')) return true
  return /^[0-9.,]$|^Enter$/.test(key) && !target.closest('[role="dialog"], [role="menu"], [role="listbox"], select')
}

/**
 * Calls `on.label` for each scanned label and `on.unreadable` for each scan that is not one of our labels, wherever the focus is. Typed text is left
 * alone; a label that went into a field is removed from it. Returns a function that stops listening.
 */
export function listenForScans(page: Document, on: ScanHandlers): () => void {
  const reader = scanReader()
  /** Keys typed while no field had the focus, which may still turn out to be a scan. */
  let typed = ''
  /** The element that had the focus when a label was handed over without its Enter, which may arrive late. */
  let openFor: EventTarget | null = null
  let typedAt: EventTarget | null = null
  /** The content of fields before the last keys that may turn out to have begun a scan. */
  let before: { at: number; field: Field; value: string; caret: number | null }[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  /** The keys were a person's, or a gauge's. */
  const handOver = (end = '') => {
    if (typed === '') return
    on.typed?.(typed + end)
    openFor = end === '' ? typedAt : null
    typed = ''
  }

  const handleVerdict = (verdict: Verdict) => {
    if (verdict.kind !== 'label' && verdict.kind !== 'unreadable') return
    typed = ''
    openFor = null
    const fieldBefore = before.find(({ at, field }) => at === verdict.since && field.isConnected)
    if (fieldBefore) restoreField(fieldBefore.field, fieldBefore.value, fieldBefore.caret)
    before = []
    if (verdict.kind === 'label') on.label(verdict.label)
    else on.unreadable(verdict.text)
  }

  const onPause = (at: number) => {
    handleVerdict(reader.pause(at))
    handOver()
  }

  const collect = (event: KeyboardEvent, place: KeyTarget) => {
    if (!on.typed || place !== 'page' || !isNobodys(event.target, event.key)) return
    if (event.key === 'Enter' && (typed !== '' || openFor === event.target)) {
      event.preventDefault()
      if (typed === '') on.typed('\n')
      else handOver('\n')
      openFor = null
      return
    }
    const shortcut = event.ctrlKey || event.metaKey || event.altKey
    if (shortcut || !/^[0-9A-Za-z.,#-]$/.test(event.key)) return
    // the field that opens for it takes the focus while this key is on its way, and would get it, too
    event.preventDefault()
    typed += event.key
    typedAt = event.target
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const field = fieldOf(event)
    const place: KeyTarget = field || (event.target as HTMLElement | null)?.isContentEditable ? 'field' : 'page'
    const at = event.timeStamp
    if (reader.idle(at)) {
      handleVerdict(reader.pause(at))
      handOver()
      before = field
        ? [...before, { at, field, value: field.value, caret: field.selectionStart }].slice(-scanStart.length)
        : []
    }
    const verdict = reader.key({
      key: event.key,
      code: event.code,
      shift: event.shiftKey,
      alt: event.getModifierState('AltGraph') || (event.altKey && event.ctrlKey),
      at,
      place,
      shortcut: event.metaKey || (event.ctrlKey && !event.altKey && !event.getModifierState('AltGraph')),
      repeat: event.repeat,
    })
    if (verdict.kind !== 'pass') {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    handleVerdict(verdict)
    if (verdict.kind === 'pass' || verdict.kind === 'swallow') collect(event, place)
    clearTimeout(timer)
    const patience = reader.patience()
    const late = reader.isMarked() ? lateness.ofLabel : lateness.ofKeys
    if (patience !== null) timer = setTimeout(() => onPause(at + patience), patience + late)
  }

  /** Hand terminals may hand over a whole label at once, by an input method or the clipboard. */
  const onWholeLabel = (event: Event, text: string | null | undefined) => {
    const label = text ? decodeLabel(text.trim()) : null
    if (!label) return
    event.preventDefault()
    event.stopImmediatePropagation()
    reader.handed(event.timeStamp)
    on.label(label)
  }
  const inputs = (event: InputEvent) => onWholeLabel(event, event.data ?? event.dataTransfer?.getData('text/plain'))
  const pasted = (event: ClipboardEvent) => onWholeLabel(event, event.clipboardData?.getData('text/plain'))

  page.addEventListener('keydown', onKeyDown, { capture: true })
  page.addEventListener('beforeinput', inputs, { capture: true })
  page.addEventListener('paste', pasted, { capture: true })
  return () => {
    clearTimeout(timer)
    page.removeEventListener('keydown', onKeyDown, { capture: true })
    page.removeEventListener('beforeinput', inputs, { capture: true })
    page.removeEventListener('paste', pasted, { capture: true })
  }
}
