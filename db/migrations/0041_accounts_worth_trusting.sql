-- Messages have a number of their own for mail servers: the one of the row comes again in another database of the same portal. A
-- message about a changed address goes to the one before, which stands here until it is sent.
alter table mail
  add message_id uuid not null default gen_random_uuid(),
  add to_address text not null default '' check (length(to_address) <= 100);

-- From where somebody acted stands in a message only until it is sent.
select set_config('app.scope', 'system', true);
update mail set facts = facts - 'address' - 'device' where facts ?| array['address', 'device'];
select set_config('app.scope', '', true);

create index passkey_challenge_expires on passkey_challenge (expires_at);

-- When the node that takes a backup last said that it still does.
alter table backup_run add alive_at timestamptz;
