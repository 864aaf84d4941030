-- version 1, 9623a23226c3
-- Whether any endpoint is enabled. A customer's actions are also published to the site, whose endpoints the customer can't see, so the
-- lookup runs without the customer's scope. A `set` clause would be shorter, but only a superuser may write one for a setting of our own.
create or replace function any_webhook() returns boolean language plpgsql as $$
declare
  before constant text := current_setting('app.customer', true);
  found boolean;
begin
  perform set_config('app.customer', '', true);
  found := exists (select from webhook_endpoint where enabled);
  perform set_config('app.customer', coalesce(before, ''), true);
  return found;
end $$;
