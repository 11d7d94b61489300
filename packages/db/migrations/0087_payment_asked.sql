-- When the network was last asked whether it has paid for the sale (C2). What it leaves out, or doesn't answer, is asked for again after the others.
alter table network_transactions add column payment_asked_at timestamptz;
