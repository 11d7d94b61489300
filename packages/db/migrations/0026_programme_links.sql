-- Networks whose links differ by programme (C2): Impact has a tracking domain and an ad for each, Partnerize a camref.

alter table programmes
  add column programme_link text check (programme_link ~ '^https?://');  -- the programme's own link; null: the network builds links from its ids
