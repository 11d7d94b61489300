-- Gives products an address made from their name, and finds the retailer of that name with its main category. Names can
-- be in the catalogue before the retailer is, so every sync calls it. A second product of the same name keeps its random
-- slug, and a slug that was made stays: links to it are out there. A retailer that was merged leads to the one that stays;
-- the column is read through jsonb, because 0035 calls the function before 0052 adds it.
--!include search_fold.sql
create or replace function name_gift_card_products() returns void language plpgsql as $$
begin
  with named as (
    select id, slug, trim(both '-' from left(regexp_replace(search_fold(name), '[^a-z0-9]+', '-', 'g'), 90)) as wanted
    from gift_card_products where slug ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  ), chosen as (
    select distinct on (wanted) id, wanted from named
    where wanted <> '' and not exists (select from gift_card_products other where other.slug = wanted)
    order by wanted, id
  )
  update gift_card_products product set slug = wanted from chosen where chosen.id = product.id;

  update gift_card_products product
  set retailer_id = found.retailer_id, category_id = found.category_id
  from (
    select product.id, retailer.id as retailer_id,
      (select category_id from retailer_categories where retailer_id = retailer.id and is_main) as category_id
    from gift_card_products product
    left join lateral (
      select coalesce((to_jsonb(shop) ->> 'merged_into_id')::uuid, id) as id from retailers shop where search_fold(name) = search_fold(product.name)
      order by status = 'active' desc, id limit 1
    ) retailer on true
  ) found
  where found.id = product.id
    and (product.retailer_id, product.category_id) is distinct from (found.retailer_id, found.category_id);
end $$;
