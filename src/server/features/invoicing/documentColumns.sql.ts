/** A document as it travels (SPEC §3 "Document", DESIGN §4), for every statement that answers documents. */

/** A document's number as people say it, by the first letter of its type: `W-2026-00012` (documents.ts `documentNumber`). */
export const documentNumberOf = (d: string): string =>
  `upper(left(${d}.type, 1)) || '-' || ${d}.year || '-' || lpad(${d}.number::text, greatest(5, length(${d}.number::text)), '0')`

/** The columns of a document in wire form. */
export const documentColumns = (d: string): string => `array[${d}.id] as db_id,
  array[${documentNumberOf(d)}] as document_number_text, array[${d}.number] as document_number_value,
  array[yyyymmdd(${d}.document_date)] as date, array[${d}.type] as document_type, array[${d}.amount_excl] as amount_excl`
