/** The balance of invoices, in SQL (`src/domain/money/payment.ts`). */
import { ageDays, ages } from '#domain/money/payment.ts'

/** The state of a balance `b` (`paymentStateOf`). Needs the parameter `today`. */
export const stateOf = (b: string): string =>
  `case when ${b}.open <= 0 then case when ${b}.written_off > 0 then 'written_off' when ${b}.paid > 0 then 'paid' else 'credited' end
     when :today::date > ${b}.due_on then 'overdue' when ${b}.paid > 0 then 'partly_paid' else 'open' end`

/** Whether the site follows the payments of the invoice with balance `b`. */
export const isFollowed = (b: string): string =>
  `(select ${b}.issued_on >= f.followed_from from payment_settings f where f.site_id = ${b}.site_id)`

/** The age of what is open of balance `b`, one of `ages`. Needs the parameter `today`. */
export const ageOf = (b: string): string =>
  `case ${Object.entries(ageDays)
    .map(([age, days]) => `when :today::date - ${b}.due_on <= ${days} then '${age}'`)
    .join(' ')} else 'older' end`

/** Sums of `open` by the column `age`, as JSON. */
export const sumsByAge = `json_build_object(${ages.map(age => `'${age}', coalesce(sum(open) filter (where age = '${age}'), 0)`).join(', ')})`

/** The sums that are open and overdue at a site, and the lines of bank statements that ask; null where it follows no payments. Needs `site` and `today`. */
export const unpaid = `(select json_build_object('open', coalesce(sum(open), 0), 'overdue', coalesce(sum(open) filter (where age <> 'due'), 0),
       'overdue_count', (count(*) filter (where age <> 'due')), 'ages', ${sumsByAge}, 'bank_line_count', (
         select count(*) from bank_line l where l.site_id = :site and l.set_aside is null
           and not exists (select from payment p where p.site_id = l.site_id and p.line_id = l.id and p.undone_at is null)))
     from payment_settings f left join lateral (
       select b.open, ${ageOf('b')} as age from invoice_balance b where b.site_id = f.site_id and b.open > 0 and b.issued_on >= f.followed_from) b on true
     where f.site_id = :site and f.followed_from is not null group by f.site_id)`
