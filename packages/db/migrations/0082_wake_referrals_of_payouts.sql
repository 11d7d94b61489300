-- A bonus that was on its way to the bank when its referral was held (C8) is held when the money comes back.

--!include wake_referrals_of_payout.sql

create trigger payouts_wake_referrals
  after update of state on payouts for each row
  when (old.state in ('processing', 'paid') and new.state in ('requested', 'failed', 'returned'))
  execute function wake_referrals_of_payout();
