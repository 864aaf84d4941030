-- An address at which no message arrives: since when the first was given up, and what the last one failed at.
alter table account
  add bounced_at timestamptz,
  add bounce text not null default '' check (length(bounce) <= 500),
  add check (bounced_at is not null or bounce = '');

-- Of another address nothing is known, whoever changes it.
create function forget_bounce() returns trigger language plpgsql as $$
begin
  new.bounced_at := null;
  new.bounce := '';
  return new;
end $$;
create trigger address_changes before update of email on account
  for each row when (new.email is distinct from old.email) execute function forget_bounce();

alter table account no force row level security; -- binds its owner, too, unless that is a superuser
alter table mail no force row level security;
alter table security_event no force row level security;

-- What is known so far: the last message was given up, and the account has had this address since.
update account a set bounced_at = last.given_up_at, bounce = last.problem
from (
  select distinct on (account_id) account_id, given_up_at, problem from mail
  where kind <> 'emailChanged' and (sent_at is not null or given_up_at is not null)
  order by account_id, id desc) last
where last.account_id = a.id and last.given_up_at is not null and a.email <> ''
  and not exists (
    select from security_event e
    where e.account_id = a.id and e.kind = 'emailChanged' and e.at > last.given_up_at);

alter table account force row level security;
alter table mail force row level security;
alter table security_event force row level security;
