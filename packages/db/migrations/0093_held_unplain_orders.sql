-- Held sales whose order number has other characters than a claim's (C7), such as an en dash: few, and compared in plain characters.
create index network_transactions_held_unplain on network_transactions (network_id)
  where held_because is not null and order_reference ~ '[^ -~]';
