-- Texts lose what nobody sees and are composed when they are entered (src/domain/texts/visible.ts); those from before are cleaned here in the same
-- way, so that two that look equal are equal. What is issued or a record of what happened stays as it was, and so do names of locations and
-- sets, which other rows repeat. A row that would then be equal to another where that is not allowed stays, too: nothing is joined.
do $$
declare
  pictures constant text := '\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9-\u21aa\u231a-\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2'
    || '\u25aa-\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614-\u2615\u2618\u261d\u2620\u2622-\u2623\u2626\u262a'
    || '\u262e-\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f-\u2660\u2663\u2665-\u2666\u2668\u267b\u267e-\u267f\u2692-\u2697\u2699'
    || '\u269b-\u269c\u26a0-\u26a1\u26a7\u26aa-\u26ab\u26b0-\u26b1\u26bd-\u26be\u26c4-\u26c5\u26c8\u26ce-\u26cf\u26d1\u26d3-\u26d4'
    || '\u26e9-\u26ea\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733-\u2734'
    || '\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2934-\u2935\u2b05-\u2b07\u2b1b-\u2b1c'
    || '\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f004\U0001f02c-\U0001f02f\U0001f094-\U0001f09f\U0001f0af-\U0001f0b0\U0001f0c0'
    || '\U0001f0cf-\U0001f0d0\U0001f0f6-\U0001f0ff\U0001f170-\U0001f171\U0001f17e-\U0001f17f\U0001f18e\U0001f191-\U0001f19a'
    || '\U0001f1ae-\U0001f1e5\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f\U0001f249-\U0001f25f'
    || '\U0001f266-\U0001f321\U0001f324-\U0001f393\U0001f396-\U0001f397\U0001f399-\U0001f39b\U0001f39e-\U0001f3f0\U0001f3f3-\U0001f3f5'
    || '\U0001f3f7-\U0001f3fa\U0001f400-\U0001f4fd\U0001f4ff-\U0001f53d\U0001f549-\U0001f54e\U0001f550-\U0001f567\U0001f56f-\U0001f570'
    || '\U0001f573-\U0001f57a\U0001f587\U0001f58a-\U0001f58d\U0001f590\U0001f595-\U0001f596\U0001f5a4-\U0001f5a5\U0001f5a8'
    || '\U0001f5b1-\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8'
    || '\U0001f5ef\U0001f5f3\U0001f5fa-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cb-\U0001f6d2\U0001f6d5-\U0001f6e5\U0001f6e9'
    || '\U0001f6eb-\U0001f6f0\U0001f6f3-\U0001f6ff\U0001f7da-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f'
    || '\U0001f888-\U0001f88f\U0001f8ae-\U0001f8af\U0001f8bc-\U0001f8bf\U0001f8c2-\U0001f8cf\U0001f8d9-\U0001f8ff\U0001f90c-\U0001f93a'
    || '\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa58-\U0001fa5f\U0001fa6e-\U0001faff\U0001fc00-\U0001fffd';
  joined constant text := pictures
    || '\u0600-\u0604\u0606-\u060b\u060d-\u061a\u061c-\u061e\u0620-\u063f\u0641-\u064a\u0656-\u066f\u0671-\u06dc\u06de-\u06ff'
    || '\u0750-\u077f\u0870-\u0891\u0897-\u08e1\u08e3-\u0950\u0955-\u0963\u0966-\u0983\u0985-\u098c\u098f-\u0990\u0993-\u09a8'
    || '\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bc-\u09c4\u09c7-\u09c8\u09cb-\u09ce\u09d7\u09dc-\u09dd\u09df-\u09e3\u09e6-\u09fe\u0d00-\u0d0c'
    || '\u0d0e-\u0d10\u0d12-\u0d44\u0d46-\u0d48\u0d4a-\u0d4f\u0d54-\u0d63\u0d66-\u0d7f\u0d81-\u0d83\u0d85-\u0d96\u0d9a-\u0db1'
    || '\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0de6-\u0def\u0df2-\u0df4\ua8e0-\ua8ff\ufb50-\ufd3d'
    || '\ufd40-\ufdcf\ufdf0-\ufdff\ufe70-\ufe74\ufe76-\ufefc\U00010e60-\U00010e7e\U00010ec2-\U00010ec7\U00010ed0-\U00010ed8'
    || '\U00010efa-\U00010eff\U000111e1-\U000111f4\U00011b00-\U00011b09\U0001ee00-\U0001ee03\U0001ee05-\U0001ee1f\U0001ee21-\U0001ee22'
    || '\U0001ee24\U0001ee27\U0001ee29-\U0001ee32\U0001ee34-\U0001ee37\U0001ee39\U0001ee3b\U0001ee42\U0001ee47\U0001ee49\U0001ee4b'
    || '\U0001ee4d-\U0001ee4f\U0001ee51-\U0001ee52\U0001ee54\U0001ee57\U0001ee59\U0001ee5b\U0001ee5d\U0001ee5f\U0001ee61-\U0001ee62'
    || '\U0001ee64\U0001ee67-\U0001ee6a\U0001ee6c-\U0001ee72\U0001ee74-\U0001ee77\U0001ee79-\U0001ee7c\U0001ee7e\U0001ee80-\U0001ee89'
    || '\U0001ee8b-\U0001ee9b\U0001eea1-\U0001eea3\U0001eea5-\U0001eea9\U0001eeab-\U0001eebb\U0001eef0-\U0001eef1';
  unseen constant text := '\u0001-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f'
    || '\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    || '\U000e0000-\U000e0fff';
  -- signs that join letters or parts of a picture stay between them
  joiners constant text := '[\u200c\u200d\ufe0f]';
  misplaced constant text := format('(?<![%1$s])\ufe0f|(?<![%2$s]\ufe0f?)[\u200c\u200d]|[\u200c\u200d](?![%2$s])|[%3$s]', pictures, joined, unseen);
  suspect constant text := format('[%s\u200c\u200d\ufe0f]', unseen);
  -- what is at the ends of a text behind something unseen, as the edge trims it
  blanks constant text := E' \t\n\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
  place record;
  typed record;
  found record;
  change text;
begin
  -- each site for itself, as the policies of its rows allow: lifting row-level security would lock the tables
  perform set_config('app.scope', 'system', true);
  for place in select id from site order by id loop
    perform set_config('app.site', place.id::text, true);
    for typed in
      with texts(name, key, columns) as (values
        ('site', 'id', array['name', 'account']),
        ('customer', 'site_id', array['code', 'name', 'company', 'street', 'zipcode', 'city', 'email']),
        ('customer_billing', 'site_id', array['legal_name', 'company_number', 'vat_number', 'buyer_reference', 'exemption', 'peppol_id']),
        ('billing_details', 'site_id', array['legal_name', 'street', 'zipcode', 'city', 'email', 'company_number', 'vat_number', 'iban', 'bic',
          'exemption', 'note', 'peppol_id']),
        ('account', 'site_id', array['fullname']),
        ('api_token', 'site_id', array['name']),
        ('list_view', 'site_id', array['name']),
        ('vehicle', 'site_id', array['brand', 'description', 'number', 'chassis_number', 'cost_centre', 'driver_name', 'driver_mobile',
          'driver_telephone', 'driver_email']),
        ('vehicle_config', 'site_id', array['description']),
        ('tyre', 'site_id', array['description', 'memo', 'dot', 'retreaded']),
        ('article', 'site_id', array['brand', 'pattern', 'description']),
        ('operation', 'site_id', array['remarks']),
        ('service', 'site_id', array['name', 'description_nl', 'description_fr', 'description_en', 'description_de']),
        ('transport_method', 'site_id', array['name', 'code', 'description_nl', 'description_fr', 'description_en', 'description_de']),
        ('label_report', 'site_id', array['name']),
        ('closed_day', 'site_id', array['name']),
        ('tariff_rule', 'site_id', array['description']),
        ('orphan', 'site_id', array['brand', 'pattern', 'note']))
      select t.name, t.key, string_agg(format('%I', c), ', ') as names, string_agg(format('t.%I', c), ', ') as before,
        string_agg(format('n.%I', c), ', ') as after,
        string_agg(format('case when %1$I !~ $2 and %1$I is nfc normalized then %1$I
          else btrim(regexp_replace(normalize(%1$I, nfc), case when %1$I ~ $3 then $4 else $5 end, '''', ''g''), $6) end as %1$I', c), ', ') as cleaned
      from texts t, unnest(columns) c group by t.name, t.key, t.columns
    loop
      change := format('update %1$I t set (%2$s) = row(%3$s) from (
          select ctid as place, %4$s from %1$I
          where %5$I = $1 and (concat_ws('' '', %2$s) ~ $2 or concat_ws('' '', %2$s) is not nfc normalized)) n
        where t.ctid = n.place and row(%6$s) is distinct from row(%3$s)',
        typed.name, typed.names, typed.after, typed.cleaned, typed.key, typed.before);
      begin
        execute change using place.id, suspect, joiners, misplaced, '[' || unseen || ']', blanks;
      exception when integrity_constraint_violation then
        -- one after another, so that only those in the way stay
        for found in execute format('select ctid from %1$I where %2$I = $1
          and (concat_ws('' '', %3$s) ~ $2 or concat_ws('' '', %3$s) is not nfc normalized)', typed.name, typed.key, typed.names)
          using place.id, suspect
        loop
          begin
            execute change || ' and t.ctid = $7' using place.id, suspect, joiners, misplaced, '[' || unseen || ']', blanks, found.ctid;
          exception when integrity_constraint_violation then null;
          end;
        end loop;
      end;
    end loop;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.site', '', true);
end $$;
