-- Who pays at least so much is asked once, as a set: asked of each offer or retailer by itself, it was most of a narrowed listing's time.

create function retailers_paying(moment timestamptz, bp integer) returns table (id uuid) language sql stable parallel safe as $$
  select p.retailer_id from programmes p join rate_tiers t on t.programme_id = p.id
  where p.is_preferred and p.status = 'joined' and t.member_rate_bp >= bp
  union
  select p.retailer_id from boosts b join rate_tiers t on t.id = b.rate_tier_id join programmes p on p.id = t.programme_id
  where p.is_preferred and p.status = 'joined' and b.member_rate_bp >= bp and b.starts_at <= moment and b.ends_at > moment
$$;

drop function search_offers_narrowed(uuid, timestamptz, text, tsquery, text, text, uuid, integer, integer, integer, integer);
drop function search_offers_scan(uuid, timestamptz, text, tsquery, text, text, uuid, integer, integer, integer);
drop function pays_at_least(uuid, timestamptz, integer);

-- As in 0039: one page of the offers that match, where very many do, narrowed; null narrows nothing.
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

-- As in 0039: one page of the offers that match, narrowed, with the kinds counted.
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
