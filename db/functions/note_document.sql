-- version 1, 94c204a8ca54
-- Notes a new document, for notices.
create or replace function note_document() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, document_id, facts, account_id)
  values (new.site_id, new.customer_id, 'document', new.operation_id, new.vehicle_id, new.id,
    jsonb_build_object('document', new.type), acting_account());
  return null;
end $$;
