import type { DeliveryNote } from '#contract/gate.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'

/** A delivery note by its number, and whose wheels it is about. */
export const NoteText = ({ note }: { note: DeliveryNote }) => (
  <>
    <strong>{note.document_number_text}</strong> · {note.companyname} · {formatPlate(note.license_plate)}
  </>
)
