-- Whether somebody sees all customers of the site is asked as a plain yes or no. For that PostgreSQL expects half of the rows;
-- for "is null", as it stood, one in two hundred: a site's 50,000 tyres were planned as a hundred, sorted where they are
-- better hashed, and looked up one by one. Who sees what is the same as before (docs/decisions/0005).
do $$
declare
  t record;
begin
  for t in select p.polrelid::regclass as name, case c.relname when 'customer' then 'id' else 'customer_id' end as customer
    from pg_policy p join pg_class c on c.oid = p.polrelid where p.polname = 'customer_rows' order by c.relname
  loop
    execute format('alter policy customer_rows on %s using (
      (select coalesce(current_setting(''app.customer'', true), '''') = '''')
      or %I = (select nullif(current_setting(''app.customer'', true), '''')::int))', t.name, t.customer);
  end loop;
end $$;
