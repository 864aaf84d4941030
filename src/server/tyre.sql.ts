/** A tyre in wire form, made by PostgreSQL (SPEC §3 "Tyre", DESIGN §4): the columns that every list of tyres shares. */

/** The places where a tyre lies and, with `open`, the open operation it is in: what `tyreColumns` reads beside the tyre. */
export const tyreJoins = (t: string, { open = true }: { open?: boolean } = {}): string => `
  left join location ${t}_location on ${t}_location.site_id = ${t}.site_id and ${t}_location.id = ${t}.location_id${
    open
      ? `
  left join operation_tyre ${t}_open on ${t}_open.site_id = ${t}.site_id and ${t}_open.tyre_id = ${t}.id and ${t}_open.open
  left join operation ${t}_operation on ${t}_operation.site_id = ${t}_open.site_id and ${t}_operation.id = ${t}_open.operation_id`
      : ''
  }`

/**
 * The columns of `tyre` in the schema of contract/wire.ts, for a select whose rows go through `json_agg`. The `from` needs
 * `tyreJoins` of the same alias. `depth` is the parameter or expression that says whether the site shows profile depth: where
 * it is false, depth, its date and its tachometer are null (DESIGN §7 "Reading depth"). `operation` and `action` are given
 * where the tyre is shown as part of one operation.
 */
export const tyreColumns = (
  t: string,
  {
    depth,
    operation = `${t}_open.operation_id`,
    action = `${t}_operation.type`,
  }: { depth: string; operation?: string; action?: string },
): string => `
  array[${t}.id] as db_id,
  array[${t}.article_id] as art_id,
  array[${t}.vehicle_id] as flt_id,
  array[${t}.position] as "position",
  array[${t}.description] as description,
  array[${t}.memo] as tyre_memo,
  array[case when ${depth} then ${t}.profile_depth end] as profile_depth,
  array[case when ${depth} then ${t}.profile_day end] as profile_date,
  array[case when ${depth} then ${t}.profile_tacho end] as profile_tacho,
  array[${t}.status_day] as status_date,
  array[${t}.status] as tyre_status,
  array[${t}_location.path] as stock_rack,
  array[${t}_location.site_name] as stock_site_name,
  array[${t}.rims] as stock_rims,
  array[case when ${t}.bolts then 'Y' else 'N' end] as stock_bolts,
  array[case when ${t}.hubcaps then 'Y' else 'N' end] as stock_hubcaps,
  array[coalesce(${t}.tyre_set, 'setless')] as tyre_set,
  array[${t}.invoiced_day] as "invoicedAt",
  array[case when ${t}.unknown_article then 'T' else '' end] as "unknownArticle",
  array[${operation}] as operation,
  array[${action}] as action`

/** The order in which tyres of a vehicle are shown: 2A before 10A, sets of one position by their ids. */
export const tyreOrder = (t: string): string => `length(${t}.position), ${t}.position, ${t}.id`
