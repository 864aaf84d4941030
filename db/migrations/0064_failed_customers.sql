-- A customer of a billing run whose turn fails does not hold up those after it (docs/decisions/0054).
alter table billing_run_customer add column failures int not null default 0; -- turns in this state that failed, one after the other
alter table billing_run_customer drop constraint billing_run_customer_state_check;
alter table billing_run_customer add constraint billing_run_customer_state_check
  check (state in ('waiting', 'counted', 'left_out', 'made', 'changed', 'failed', 'undone'));
