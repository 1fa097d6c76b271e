-- The same functions from statements that each name their tenant and touch one shard, as a distributed PostgreSQL
-- (docs/scale.md) runs them: no insert … select, no volatile function in a conflict, no `case x when parameter`.

create or replace function create_account(p_tenant_id text, p_id text, p_balance_minor_units bigint)
returns table (id text, balance_minor_units bigint, revision bigint, created_at timestamptz, store_epoch uuid)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  insert into accounts as a (tenant_id, id, balance_minor_units)
    values (p_tenant_id, p_id, p_balance_minor_units)
    on conflict do nothing
    returning a.id, a.balance_minor_units, a.revision, a.created_at
    into create_account.id, create_account.balance_minor_units, create_account.revision, create_account.created_at;
  if found then
    insert into ledger_entries (tenant_id, account_id, amount_minor_units)
      values (p_tenant_id, p_id, p_balance_minor_units), (p_tenant_id, null, -p_balance_minor_units::numeric);
    select e.epoch into create_account.store_epoch from store_epoch e;
    return next;
  end if;
end
$$;

create or replace function swap_account(
  p_tenant_id text, p_id text, p_expected_revision bigint, p_balance_minor_units bigint
)
returns table (revision bigint)
language plpgsql
as $$
declare
  v_difference numeric;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  update accounts a
    set balance_minor_units = p_balance_minor_units, revision = a.revision + 1
    -- The row as it was. Its revision is the expected one too, or nothing is updated.
    from accounts before
    where before.tenant_id = p_tenant_id and before.id = p_id
      and a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
    returning a.revision, a.balance_minor_units::numeric - before.balance_minor_units
    into swap_account.revision, v_difference;
  if found then
    insert into ledger_entries (tenant_id, account_id, amount_minor_units)
      values (p_tenant_id, p_id, v_difference), (p_tenant_id, null, -v_difference);
    return next;
  end if;
end
$$;

create or replace function create_transfer(
  p_tenant_id text, p_id uuid, p_from text, p_to text, p_amount_minor_units bigint, p_reference text
)
returns table (refusal text, created_at timestamptz)
language plpgsql
as $$
declare
  v_from_balance bigint;
  v_to_balance bigint;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform 1 from accounts a
    where a.tenant_id = p_tenant_id and a.id in (p_from, p_to)
    order by a.id for update;
  select a.balance_minor_units into v_from_balance from accounts a where a.tenant_id = p_tenant_id and a.id = p_from;
  select a.balance_minor_units into v_to_balance from accounts a where a.tenant_id = p_tenant_id and a.id = p_to;

  refusal := case
    when v_from_balance is null then 'account-not-found'
    when p_from = p_to then 'same-account'
    when v_to_balance is null then 'unknown-destination'
    when v_from_balance < p_amount_minor_units then 'insufficient-funds'
    when v_to_balance::numeric + p_amount_minor_units > 9223372036854775807 then 'balance-overflow'
  end;
  if refusal is null then
    update accounts a
      set revision = a.revision + 1,
          balance_minor_units = a.balance_minor_units
            + case when a.id = p_from then -p_amount_minor_units else p_amount_minor_units end
      where a.tenant_id = p_tenant_id and a.id in (p_from, p_to);
    insert into transfers (tenant_id, id, from_account_id, to_account_id, amount_minor_units, reference)
      values (p_tenant_id, p_id, p_from, p_to, p_amount_minor_units, p_reference)
      returning transfers.created_at into create_transfer.created_at;
    insert into ledger_entries (tenant_id, account_id, transfer_id, amount_minor_units)
      values (p_tenant_id, p_from, p_id, -p_amount_minor_units::numeric),
             (p_tenant_id, p_to, p_id, p_amount_minor_units);
  end if;
  return next;
end
$$;

create or replace function claim_idempotency_key(
  p_tenant_id text, p_caller text, p_method text, p_path text, p_key text, p_fingerprint bytea, p_patience_ms integer
)
returns table (is_new boolean, is_same_body boolean, status integer, headers jsonb, body text)
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_expired timestamptz := v_now - interval '24 hours';
begin
  perform set_config('lock_timeout', p_patience_ms || 'ms', true);
  insert into idempotency_keys as k (tenant_id, caller, method, path, key, fingerprint)
  values (p_tenant_id, p_caller, p_method, p_path, p_key, p_fingerprint)
  on conflict (tenant_id, caller, method, path, key) do update
    set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, created_at = v_now
    where k.created_at < v_expired;
  is_new := found;
  perform set_config('lock_timeout', '0', true);

  if is_new then
    -- Old keys go a few at a time, so that no job has to.
    delete from idempotency_keys k
    where k.tenant_id = p_tenant_id and (k.tenant_id, k.caller, k.method, k.path, k.key) in (
      select o.tenant_id, o.caller, o.method, o.path, o.key
      from idempotency_keys o
      where o.tenant_id = p_tenant_id and o.created_at < v_expired
      limit 10
      for update skip locked
    );
    return next;
  else
    return query
      select false, k.fingerprint = p_fingerprint, k.status, k.headers, k.body
      from idempotency_keys k
      where k.tenant_id = p_tenant_id and k.caller = p_caller and k.method = p_method and k.path = p_path
        and k.key = p_key;
  end if;
end
$$;

create or replace function renew_store_epoch() returns uuid
language plpgsql
as $$
declare
  v_epoch uuid := gen_random_uuid();
begin
  update store_epoch set epoch = v_epoch;
  return v_epoch;
end
$$;
