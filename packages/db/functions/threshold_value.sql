-- The value of a threshold that holds for a brand: its own, the club's, or the default. A stored value that is no whole number
-- from `smallest` to `largest` is passed over: a wrong row must not break what reads it. core/thresholds/rules.ts has the figures.
create or replace function threshold_value(wanted text, wanted_brand uuid, smallest integer, largest integer, otherwise integer)
  returns integer language sql stable as $$
  select coalesce(
    (select case when jsonb_typeof(own.value) = 'number' then
        case when own.value::numeric between smallest and largest and own.value::numeric = trunc(own.value::numeric)
          then own.value::numeric::integer end end
      from thresholds t join brands b on b.id = wanted_brand
        cross join lateral (select t.brand_values -> b.slug as value) own
      where t.threshold_key = wanted),
    (select t.club_value from thresholds t where t.threshold_key = wanted and t.club_value between smallest and largest),
    otherwise)
$$;
