-- The card of a scan finds wheels by the EAN of their article (docs/decisions/0040).
create index article_ean on article (site_id, ean) where ean is not null;
create index tyre_by_article on tyre (site_id, article_id) where removed_at is null and status <> 'waste';
