/** A document in wire form (docs/product/calls.md "Wire format"), for every statement that answers documents. */

/** The printed number of a document, by the first letter of its type: `W-2026-00012`. */
export const documentNumberOf = (d: string): string =>
  `upper(left(${d}.type, 1)) || '-' || ${d}.year || '-' || lpad(${d}.number::text, greatest(5, length(${d}.number::text)), '0')`

/** The number of the invoice that stands and has a document, `null` without one: it can not be withdrawn then. */
export const invoiceOf = (d: string): string =>
  `(select i.series || '-' || i.year || '-' || lpad(i.number::text, greatest(5, length(i.number::text)), '0')
     from invoice_document o join invoice i on i.site_id = o.site_id and i.id = o.invoice_id
     where o.site_id = ${d}.site_id and o.document_id = ${d}.id and not o.credited)`

/** The columns of a document in wire form. */
export const documentColumns = (d: string): string => `array[${d}.id] as db_id,
  array[${documentNumberOf(d)}] as document_number_text, array[${d}.number] as document_number_value,
  array[yyyymmdd(${d}.document_date)] as date, array[${d}.type] as document_type, array[${d}.amount_excl] as amount_excl`
