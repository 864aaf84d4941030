-- A namespace of texts is called as the folder that shows them, so that texts of one's own stay with the texts they replace. A node of
-- the version before asks for the former names and shows the texts that come with it until it is replaced.
update translation set namespace = named.now
from (values ('admin', 'desk'), ('superuser', 'sites'), ('damage', 'damages'), ('card', 'cards'), ('vehicle', 'vehicles'),
  ('import', 'importFaults')) named (former, now)
where namespace = named.former;
