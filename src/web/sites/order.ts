/** By which columns the list of sites is sorted. */
export const sortKeys = ['name', 'customer_count', 'tyre_count'] as const
export type SortKey = (typeof sortKeys)[number]
