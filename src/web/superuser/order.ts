/** By which columns the list of sites is sorted. */
export const sortKeys = ['name', 'customers', 'tyres'] as const
export type SortKey = (typeof sortKeys)[number]
