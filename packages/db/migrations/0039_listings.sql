-- Listings that can be narrowed by kind, category and rate (product.md D2, D4, D5), and a home page in each brand's own order (D1).

-- The sections of a brand's home page, from top to bottom.
alter table brands add column home jsonb not null
  default '["offers", "logos", "lead", "cashback", "how", "categories", "latest", "ending"]'::jsonb;

-- Who pays at least so much percent now, boosts included: asked once, as a set. Asked of each offer or retailer by itself, it was most of a narrowed
-- listing's time.
create function retailers_paying(moment timestamptz, bp integer) returns table (id uuid) language sql stable parallel safe as $$
  select p.retailer_id from programmes p join rate_tiers t on t.programme_id = p.id
  where p.is_preferred and p.status = 'joined' and t.member_rate_bp >= bp
  union
  select p.retailer_id from boosts b join rate_tiers t on t.id = b.rate_tier_id join programmes p on p.id = t.programme_id
  where p.is_preferred and p.status = 'joined' and b.member_rate_bp >= bp and b.starts_at <= moment and b.ends_at > moment
$$;

-- The most popular offers of some categories, each retailer once: what a home page leads with. `take` at most, looked for among eight times as many.
create function leading_offers(brand uuid, moment timestamptz, slugs text[], take integer)
returns table (offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 8 set plan_cache_mode = force_generic_plan as $$
declare
  wanted constant uuid[] := array(select c.id from categories c where c.slug = any(slugs));
begin
  return query
  select once.id, row_number() over (order by once.popularity desc, once.public_id) as nth from (
    select distinct on (p.retailer_id) p.* from (
      select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o
      where exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = any(wanted))
      order by o.popularity desc, o.public_id limit take * 8) p
    order by p.retailer_id, p.popularity desc, p.public_id) once
  order by nth limit take;
end $$;

-- What search narrows by stands beside the words, so that no other table is asked for every match.
alter table search_offers add column kind text, add column category_ids uuid[];
update search_offers s set kind = o.kind,
  category_ids = array(select oc.category_id from offer_categories oc where oc.offer_id = o.id)
from offers o where o.id = s.offer_id;
alter table search_offers alter column kind set not null, alter column category_ids set not null;

drop function search_offers_page(uuid, timestamptz, text, tsquery, text, integer, integer, integer);

-- One page of the offers that match: as in 0012. `kinds` counts the matches by kind; it is null where there are more than most_counted.
create function search_offers_page(brand uuid, moment timestamptz, typed text, words tsquery, sort text, most_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[], kinds jsonb)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
begin
  for total, offer_id, place, lexemes, kinds in
    with exact as materialized (
      select e.retailer_id from search_retailers e where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
    ), hits as materialized (
      select s.* from search_offers s
      where s.document @@ words and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
      limit most_counted + 1
    ), by_kind as materialized (
      select h.kind, count(*)::integer as n from hits h group by h.kind
    ), counted as materialized (
      select coalesce(sum(b.n), 0)::integer as n, jsonb_object_agg(b.kind, b.n) filter (where b.n > 0) as kinds from by_kind b
    ), page as (
      select h.offer_id, h.document, (row_number() over (order by
        case when sort = 'relevance' then h.retailer_id in (select e.retailer_id from exact e) end desc nulls last,
        case sort
          -- Popularity counts by its logarithm: it settles between alike, not between right and wrong.
          when 'relevance' then ts_rank('{0.05, 0.2, 0.6, 1}', h.document, words) * (1 + ln(1 + greatest(h.popularity, 0)))
          when 'newest' then extract(epoch from h.starts_at)
          when 'ending' then -extract(epoch from h.ends_at)
          else h.popularity
        end desc nulls last, h.offer_id))::integer as nth
      from hits h where (select n from counted) <= most_counted order by nth limit take offset skip
    )
    select counted.n, page.offer_id, page.nth, case when page.nth = skip + 1 then tsvector_to_array(page.document) end,
      case when page.nth = skip + 1 then counted.kinds end
    from counted left join page on true order by page.nth
  loop
    exit when total > most_counted;
    return next;
  end loop;
  if total > most_counted then
    return query select most_counted + 1, s.*, null::jsonb from search_offers_scan(brand, moment, typed, words, sort, skip, take) s;
  end if;
end $$;

-- The same, narrowed; null narrows nothing. These are functions of their own, planned for what they are asked: with conditions that may or may not hold, a
-- generic plan expects few rows, and common words took three times as long. First, where very many match.
create function search_offers_scan(brand uuid, moment timestamptz, typed text, words tsquery, sort text, only_kind text, only_category uuid,
  paying uuid[], skip integer, take integer)
returns table (offer_id uuid, place integer, lexemes text[])
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_custom_plan as $$
declare
  exact uuid[] := '{}';
begin
  if sort = 'newest' then
    return query
    select s.offer_id, (row_number() over (order by s.starts_at desc, s.offer_id))::integer as place, tsvector_to_array(s.document) from (
      select c.* from search_offers c
      where ts_match_vq(c.document, words) and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
        and (only_kind is null or c.kind = only_kind) and (only_category is null or only_category = any(c.category_ids))
        and (paying is null or c.retailer_id = any(paying))
      order by c.starts_at desc, c.offer_id limit take offset skip) s order by 2;
    return;
  elsif sort = 'ending' then
    return query
    select s.offer_id, (row_number() over (order by s.ends_at, s.offer_id))::integer as place, tsvector_to_array(s.document) from (
      select c.* from search_offers c
      where ts_match_vq(c.document, words) and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
        and (only_kind is null or c.kind = only_kind) and (only_category is null or only_category = any(c.category_ids))
        and (paying is null or c.retailer_id = any(paying))
      order by c.ends_at, c.offer_id limit take offset skip) s order by 2;
    return;
  end if;
  if sort = 'relevance' then
    exact := array(select e.retailer_id from search_retailers e where e.name_folded = search_fold(typed) and brand = any(e.brand_ids));
  end if;
  return query
  select s.offer_id, (row_number() over (order by s.rank, s.popularity desc, s.offer_id))::integer as place, tsvector_to_array(s.document) from (
    select both_parts.* from (
      (select 0 as rank, c.offer_id, c.popularity, c.document from search_offers c
       where c.retailer_id = any(exact) and ts_match_vq(c.document, words)
         and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
         and (only_kind is null or c.kind = only_kind) and (only_category is null or only_category = any(c.category_ids))
         and (paying is null or c.retailer_id = any(paying))
       order by c.popularity desc, c.offer_id limit skip + take)
      union all
      (select 1, c.offer_id, c.popularity, c.document from search_offers c
       where c.retailer_id <> all(exact) and ts_match_vq(c.document, words)
         and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
         and (only_kind is null or c.kind = only_kind) and (only_category is null or only_category = any(c.category_ids))
         and (paying is null or c.retailer_id = any(paying))
       order by c.popularity desc, c.offer_id limit skip + take)) both_parts
    order by both_parts.rank, both_parts.popularity desc, both_parts.offer_id limit take offset skip) s order by 2;
end $$;

-- One page of the narrowed offers. `kinds` counts the matches by kind, whatever kind is asked for, so that a page can say what else there is; it is null
-- where there are more than most_counted. With so many, those of the kind asked for are gathered by themselves, and only if these are too many as well
-- does the page come from search_offers_scan.
create function search_offers_narrowed(brand uuid, moment timestamptz, typed text, words tsquery, sort text, only_kind text, only_category uuid,
  least_bp integer, most_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[], kinds jsonb)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_custom_plan as $$
declare
  gathered_kind text := null;
  paying uuid[] := null;
begin
  if least_bp is not null then
    paying := array(select p.id from retailers_paying(moment, least_bp) p);
  end if;
  loop
    for total, offer_id, place, lexemes, kinds in
      with exact as materialized (
        select e.retailer_id from search_retailers e where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
      ), hits as materialized (
        select s.* from search_offers s
        where s.document @@ words and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
          and (gathered_kind is null or s.kind = gathered_kind) and (only_category is null or only_category = any(s.category_ids))
          and (paying is null or s.retailer_id = any(paying))
        limit most_counted + 1
      ), by_kind as materialized (
        select h.kind, count(*)::integer as n from hits h group by h.kind
      ), counted as materialized (
        select coalesce(sum(b.n), 0)::integer as gathered, coalesce(sum(b.n) filter (where only_kind is null or b.kind = only_kind), 0)::integer as n,
          jsonb_object_agg(b.kind, b.n) filter (where b.kind is not null) as kinds
        from by_kind b
      ), page as (
        select h.offer_id, h.document, (row_number() over (order by
          case when sort = 'relevance' then h.retailer_id in (select e.retailer_id from exact e) end desc nulls last,
          case sort
            -- Popularity counts by its logarithm: it settles between alike, not between right and wrong.
            when 'relevance' then ts_rank('{0.05, 0.2, 0.6, 1}', h.document, words) * (1 + ln(1 + greatest(h.popularity, 0)))
            when 'newest' then extract(epoch from h.starts_at)
            when 'ending' then -extract(epoch from h.ends_at)
            else h.popularity
          end desc nulls last, h.offer_id))::integer as nth
        from hits h where (select c.gathered from counted c) <= most_counted and (only_kind is null or h.kind = only_kind)
        order by nth limit take offset skip
      )
      select case when counted.gathered > most_counted then counted.gathered else counted.n end, page.offer_id, page.nth,
        case when page.nth = skip + 1 then tsvector_to_array(page.document) end,
        case when gathered_kind is null and (page.nth = skip + 1 or page.nth is null) then counted.kinds end
      from counted left join page on true order by page.nth
    loop
      exit when total > most_counted;
      return next;
    end loop;
    exit when total <= most_counted or only_kind is null or gathered_kind is not null;
    gathered_kind := only_kind;
  end loop;
  if total > most_counted then
    return query select most_counted + 1, s.*, null::jsonb
    from search_offers_scan(brand, moment, typed, words, sort, only_kind, only_category, paying, skip, take) s;
  end if;
end $$;
