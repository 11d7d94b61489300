-- A filing that its network's API refused and a pack took was kept as one that had not arrived (C7), so that the appeal sent it again.
update claim_filings filing set filed_at = pack.made_at
  from claim_packs pack where pack.id = filing.pack_id and filing.filed_at is null;
