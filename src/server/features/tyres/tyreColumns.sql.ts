/** A tyre in wire form (docs/product/calls.md "Wire format"), for every statement that answers tyres. */

/** The fields of a tyre that tell its depth. */
export const depthFields = ['profile_depth', 'profile_date', 'profile_tacho'] as const

/**
 * The columns of a tyre in wire form. `tyre` is the alias of its row. `depth` is the parameter (`:withDepth`) that says whether the
 * site shows profile depth, date and tachometer; without it they leave the database as null.
 * `location` and `operation` are the aliases of its stock location and of the open operation it is in (`tyreJoins`).
 */
export function tyreColumns(tyre: string, at: { depth: string; location?: string; operation?: string }): string {
  const { depth, location: l = 'l', operation: o = 'o' } = at
  const t = tyre
  return `array[${t}.id] as db_id, array[${t}.article_id] as art_id, array[${t}.vehicle_id] as flt_id,
    array[${t}.position] as position, array[${t}.description] as description, array[${t}.season] as season, array[${t}.memo] as tyre_memo,
    array[case when ${depth} then ${t}.profile_depth end] as profile_depth,
    array[case when ${depth} then ${t}.profile_day end] as profile_date,
    array[case when ${depth} then ${t}.profile_tacho end] as profile_tacho,
    array[${t}.status_day] as status_date, array[${t}.status] as tyre_status,
    array[${l}.path] as stock_rack, array[${l}.site_name] as stock_site_name, array[${t}.rims] as stock_rims,
    array[case when ${t}.bolts then 'Y' else 'N' end] as stock_bolts,
    array[case when ${t}.hubcaps then 'Y' else 'N' end] as stock_hubcaps,
    array[coalesce(${t}.tyre_set, 'setless')] as tyre_set, array[${t}.invoiced_day] as "invoicedAt",
    array[case when ${t}.unknown_article then 'T' else '' end] as "unknownArticle",
    array[${o}.id] as operation, array[${o}.type] as action`
}

/** The joins that `tyreColumns` needs: the tyre's stock location `l` and the open operation `o` it is in. */
export const tyreJoins = (tyre: string): string => `
  left join location l on l.site_id = ${tyre}.site_id and l.id = ${tyre}.location_id
  left join operation_tyre open_tyre on open_tyre.site_id = ${tyre}.site_id and open_tyre.tyre_id = ${tyre}.id and open_tyre.open
  left join operation o on o.site_id = open_tyre.site_id and o.id = open_tyre.operation_id`

/** The order in which tyres of a vehicle are shown: position 2A before 10A. */
export const tyreOrder = (tyre: string): string => `length(${tyre}.position), ${tyre}.position, ${tyre}.id`
