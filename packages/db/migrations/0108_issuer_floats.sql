-- What is left of the money that we have with each issuer of gift cards (G5), as the issuer said last.
create table issuer_floats (
  -- As in gift_card_products.issuer.
  issuer      text primary key check (length(issuer) between 1 and 100),
  float_pence bigint not null,
  read_at     timestamptz not null,
  -- Since when it has been below the threshold that held when it was read; null: it was not.
  low_since   timestamptz
);
