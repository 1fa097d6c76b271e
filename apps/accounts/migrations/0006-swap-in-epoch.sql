-- The compare-and-swap for a writer that has not just looked the account up: it compares the store's epoch too, because a
-- restore uses revisions again. No row: the revision or the epoch is not the expected one any more, or the account is
-- gone. swap_account stays for processes of the release before, which run until all are replaced.
create function swap_account_in_epoch(
  p_tenant_id text, p_id text, p_expected_revision bigint, p_expected_epoch uuid, p_balance_minor_units bigint
)
returns table (revision bigint)
language plpgsql
as $$
declare
  v_balance_before bigint;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select a.balance_minor_units into v_balance_before
    from accounts a cross join store_epoch e
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
      and e.epoch = p_expected_epoch;
  if not found then
    return;
  end if;
  -- It has this balance as long as it has this revision: each write raises that.
  update accounts a
    set balance_minor_units = p_balance_minor_units, revision = a.revision + 1
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
    returning a.revision into swap_account_in_epoch.revision;
  if found then
    insert into ledger_entries (tenant_id, account_id, amount_minor_units)
      values (p_tenant_id, p_id, p_balance_minor_units::numeric - v_balance_before),
             (p_tenant_id, null, v_balance_before - p_balance_minor_units::numeric);
    return next;
  end if;
end
$$;
