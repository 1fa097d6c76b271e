-- The swap from two statements that each name one row by its key. On a distributed PostgreSQL, a join of the table with itself is
-- planned for every shard before it is planned for the tenant's.

create or replace function swap_account(
  p_tenant_id text, p_id text, p_expected_revision bigint, p_balance_minor_units bigint
)
returns table (revision bigint)
language plpgsql
as $$
declare
  v_balance_before bigint;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select a.balance_minor_units into v_balance_before
    from accounts a
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision;
  -- It has this balance as long as it has this revision: each write raises that.
  update accounts a
    set balance_minor_units = p_balance_minor_units, revision = a.revision + 1
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
    returning a.revision into swap_account.revision;
  if found then
    insert into ledger_entries (tenant_id, account_id, amount_minor_units)
      values (p_tenant_id, p_id, p_balance_minor_units::numeric - v_balance_before),
             (p_tenant_id, null, v_balance_before - p_balance_minor_units::numeric);
    return next;
  end if;
end
$$;
