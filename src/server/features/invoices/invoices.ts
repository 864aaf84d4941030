/** Invoices (docs/product.md "Invoices"; docs/decisions/0061). */
import type { Handlers } from '../handler.ts'
import { details } from './details.ts'

export const invoices: Handlers['invoices'] = { ...details }
