-- When a gift-card line last became 'issuing' (G4): its hours without a card or without float count from then, not from its payment, because a
-- line may have been held for longer than that. Null: not since this column came; then they count from the payment.
alter table gift_card_lines add column issuing_since timestamptz;

update gift_card_lines line set issuing_since = (
  select min(change.changed_at) from gift_card_line_changes change
  where change.line_id = line.id and change.version > coalesce((
    select max(other.version) from gift_card_line_changes other
    where other.line_id = line.id and other.state <> 'issuing'), 0))
where line.state = 'issuing';
