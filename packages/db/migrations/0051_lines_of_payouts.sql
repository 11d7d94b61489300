-- Refuses what a worker from before 0044 does with a gift card that cashback pays for (C6, G4): it knows no payouts, so it moves
-- the line alone and books the card against card payments. docs/operations/upgrading.md tells what an operator sees.

--!include check_gift_card_line_payout.sql
--!include check_gift_card_line_source.sql

create constraint trigger gift_card_lines_payout after update of state on gift_card_lines
  deferrable initially deferred for each row when (old.state <> new.state) execute function check_gift_card_line_payout();
create constraint trigger gift_card_line_changes_source after insert on gift_card_line_changes
  deferrable initially deferred for each row when (new.transfer_id is not null) execute function check_gift_card_line_source();
