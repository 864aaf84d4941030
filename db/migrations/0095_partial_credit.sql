-- A credit note credits lines of its invoice, each once: some, or all that are left (docs/decisions/0066).
alter table invoice_line
  add credits int,                               -- of a line of a credit note: the invoice,
  add credits_line int,                          -- and the line of it, which it takes back as a whole
  add check ((credits is null) = (credits_line is null)),
  add foreign key (site_id, credits, credits_line) references invoice_line (site_id, invoice_id, line) on delete cascade;

alter table invoice no force row level security; -- binds its owner, too, unless that is a superuser
alter table invoice_line no force row level security;
update invoice_line l set credits = i.credits, credits_line = l.line from invoice i
where i.site_id = l.site_id and i.id = l.invoice_id and i.credits is not null;
alter table invoice force row level security;
alter table invoice_line force row level security;

create unique index invoice_line_credited_once on invoice_line (site_id, credits, credits_line) where credits is not null;
drop index invoice_credited_once;
create index invoice_credits on invoice (site_id, credits) where credits is not null;

-- The version before credits whole invoices, and names no lines.
create function credit_line() returns trigger language plpgsql as $$
begin
  select i.credits, case when i.credits is not null then new.line end into new.credits, new.credits_line
  from invoice i where i.site_id = new.site_id and i.id = new.invoice_id;
  return new;
end $$;
create trigger credits_a_line before insert on invoice_line for each row when (new.credits is null) execute function credit_line();
