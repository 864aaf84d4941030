-- The card of a scan finds wheels by the EAN of their article, and a scan can be taken back (docs/decisions/0040).
create index article_ean on article (site_id, ean) where ean is not null;
create index tyre_by_article on tyre (site_id, article_id) where removed_at is null and status <> 'waste';

drop trigger wheel_takes_a_step on wheel;
-- The table of src/domain/wheel.ts, written out: a condition costs a scan nothing.
create trigger wheel_takes_a_step before update on wheel for each row
  when (old.state <> new.state and new.step || ': ' || old.state || ' > ' || new.state <> all (array[
    'submit: with_customer > expected', 'undo: expected > with_customer', 'scan_in: with_customer > received',
    'scan_in: expected > received', 'scan_in: missing > received', 'scan_out: received > loaded', 'scan_out: on_cart > loaded',
    'scan_out: at_place > loaded', 'scan_out: picked > loaded', 'scan_out: staged > loaded', 'scan_out: missing > loaded',
    'scan_off: received > picked', 'scan_off: on_cart > picked', 'scan_off: at_place > picked', 'scan_off: staged > picked',
    'scan_off: loaded > picked', 'scan_off: missing > picked', 'place: with_customer > at_place', 'place: expected > at_place',
    'place: received > at_place', 'place: on_cart > at_place', 'place: picked > at_place', 'place: staged > at_place',
    'place: loaded > at_place', 'place: missing > at_place', 'cart: with_customer > on_cart', 'cart: expected > on_cart', 'cart: received > on_cart',
    'cart: at_place > on_cart', 'cart: picked > on_cart', 'cart: staged > on_cart', 'cart: loaded > on_cart', 'cart: missing > on_cart',
    'stage: received > staged', 'stage: on_cart > staged', 'stage: at_place > staged', 'stage: picked > staged',
    'stage: loaded > staged', 'stage: missing > staged', 'pick: received > picked', 'pick: on_cart > picked', 'pick: at_place > picked',
    'pick: staged > picked', 'pick: missing > picked', 'displace: at_place > received', 'store: with_customer > at_place',
    'store: expected > at_place', 'store: received > at_place', 'store: missing > at_place', 'store: with_customer > received',
    'store: expected > received', 'store: missing > received', 'store: at_place > received', 'deliver: received > with_customer',
    'deliver: on_cart > with_customer', 'deliver: at_place > with_customer', 'deliver: picked > with_customer',
    'deliver: staged > with_customer', 'deliver: loaded > with_customer', 'deliver: missing > with_customer',
    'scrap: with_customer > scrapped', 'scrap: expected > scrapped', 'scrap: received > scrapped', 'scrap: on_cart > scrapped',
    'scrap: at_place > scrapped', 'scrap: picked > scrapped', 'scrap: staged > scrapped', 'scrap: loaded > scrapped',
    'scrap: missing > scrapped', 'cancel: expected > with_customer', 'cancel: at_place > received', 'cancel: picked > received',
    'cancel: staged > received', 'cancel: loaded > received', 'unscan: received > expected', 'unscan: on_cart > expected', 'unscan: at_place > expected', 'unscan: picked > at_place',
    'unscan: loaded > at_place', 'unscan: picked > received', 'unscan: loaded > received', 'miss: with_customer > missing', 'miss: expected > missing',
    'miss: received > missing', 'miss: on_cart > missing', 'miss: at_place > missing', 'miss: picked > missing',
    'miss: staged > missing', 'miss: loaded > missing', 'find: missing > received', 'close: missing > with_customer',
    'close: missing > at_place', 'close: missing > received', 'hand_back: received > with_customer',
    'hand_back: on_cart > with_customer', 'identify: with_customer > received', 'identify: expected > received',
    'identify: missing > received', 'correct: scrapped > with_customer', 'correct: scrapped > received', 'correct: scrapped > at_place'
  ]))
  execute function refuse_step();
