import type { OfferedType } from '#domain/tyres/tyre.ts'

/** Types of operations in the order of a warehouse's work: recalls first, since customers wait for them. */
export const typeOrder = ['to_customer', 'to_stock', 'to_waste'] as const satisfies readonly OfferedType[]
