-- Writes cost less: an account has the time of its last entry, so that a write need not look for that entry.
\ir ../../../packages/services/events/migrations/0002-outbox-in-slots.sql

-- Null for an account that was last written before this migration: its entries are looked at then.
alter table accounts add column last_entry_at timestamptz;

drop function next_entry_at(text, text);

-- The time of the next entry of an account whose row is locked: later than its last one, even if the clock went back.
create function next_entry_at(p_tenant_id text, p_account_id text, p_last_entry_at timestamptz) returns timestamptz
language plpgsql
as $$
declare
  v_last timestamptz := p_last_entry_at;
begin
  if v_last is null then
    select e.created_at into v_last
      from ledger_entries e
      where e.tenant_id = p_tenant_id and e.account_id = p_account_id
      order by e.created_at desc, e.id desc limit 1;
  end if;
  return greatest(clock_timestamp(), v_last + interval '1 microsecond');
end
$$;

create or replace function create_account(
  p_tenant_id text, p_id text, p_balance_minor_units bigint, p_issuer text default null, p_subject text default null
)
returns table (id text, balance_minor_units bigint, revision bigint, created_at timestamptz, store_epoch uuid)
language plpgsql
as $$
declare
  v_at timestamptz := clock_timestamp();
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  insert into accounts as a (tenant_id, id, balance_minor_units, created_at, last_entry_at)
    values (p_tenant_id, p_id, p_balance_minor_units, v_at, v_at)
    on conflict do nothing
    returning a.id, a.balance_minor_units, a.revision, a.created_at
    into create_account.id, create_account.balance_minor_units, create_account.revision, create_account.created_at;
  if found then
    insert into ledger_entries
        (tenant_id, account_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
      values
        (p_tenant_id, p_id, p_balance_minor_units, p_balance_minor_units, p_issuer, p_subject, v_at),
        (p_tenant_id, null, -p_balance_minor_units::numeric, null, null, null, v_at);
    perform tell(
      p_tenant_id, 'account.created', '/accounts/' || p_id, v_at,
      json_build_object('id', p_id, 'balance_minor_units', p_balance_minor_units), p_issuer, p_subject
    );
    select e.epoch into create_account.store_epoch from store_epoch e;
    return next;
  end if;
end
$$;

create or replace function swap_account(
  p_tenant_id text, p_id text, p_expected_revision bigint, p_balance_minor_units bigint,
  p_issuer text default null, p_subject text default null
)
returns table (revision bigint)
language plpgsql
as $$
declare
  -- Not `perform`, which is a query.
  v_tenant text := set_config('meridian.tenant_id', p_tenant_id, true);
  v_balance_before bigint;
  v_last timestamptz;
  v_at timestamptz;
begin
  select a.balance_minor_units, a.last_entry_at into v_balance_before, v_last
    from accounts a
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision for no key update;
  if not found then
    return;
  end if;
  -- Under the lock: no reader of a balance at a moment has had a later moment. `next_entry_at` and `tell` are written out,
  -- for this is the most frequent write.
  if v_last is null then
    v_at := next_entry_at(p_tenant_id, p_id, null);
  else
    v_at := greatest(clock_timestamp(), v_last + interval '1 microsecond');
  end if;
  swap_account.revision := p_expected_revision + 1;
  update accounts a
    set balance_minor_units = p_balance_minor_units, revision = swap_account.revision, last_entry_at = v_at
    where a.tenant_id = p_tenant_id and a.id = p_id;
  insert into ledger_entries
      (tenant_id, account_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
    values
      (p_tenant_id, p_id, p_balance_minor_units::numeric - v_balance_before, p_balance_minor_units,
        p_issuer, p_subject, v_at),
      (p_tenant_id, null, v_balance_before - p_balance_minor_units::numeric, null, null, null, v_at);
  insert into event_outbox (tenant_id, slot, time, type, subject, data, actor_issuer, actor_subject)
    values (p_tenant_id, mod(period_of(v_at), 5), v_at, 'account.updated', '/accounts/' || p_id,
      json_build_object('id', p_id, 'balance_minor_units', p_balance_minor_units), p_issuer, p_subject);
  return next;
end
$$;

create or replace function create_transfer(
  p_tenant_id text, p_id uuid, p_from text, p_to text, p_amount_minor_units bigint, p_reference text,
  p_issuer text default null, p_subject text default null,
  -- The transfer that this one reverses, and the hold that it captures.
  p_reverses uuid default null, p_captures uuid default null
)
returns table (refusal text, created_at timestamptz)
language plpgsql
as $$
declare
  v_account record;
  v_from_balance bigint;
  v_from_holds_until timestamptz;
  v_from_last timestamptz;
  v_to_balance bigint;
  v_to_last timestamptz;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  -- In the order of their identifiers, so that two transfers between the same accounts wait for each other instead of
  -- deadlocking.
  for v_account in
    select a.id, a.balance_minor_units as balance, a.holds_until, a.last_entry_at
    from accounts a
    where a.tenant_id = p_tenant_id and a.id in (p_from, p_to)
    order by a.id for update
  loop
    if v_account.id = p_from then
      v_from_balance := v_account.balance;
      v_from_holds_until := v_account.holds_until;
      v_from_last := v_account.last_entry_at;
    else
      v_to_balance := v_account.balance;
      v_to_last := v_account.last_entry_at;
    end if;
  end loop;

  refusal := case
    when v_from_balance is null then 'account-not-found'
    when p_from = p_to then 'same-account'
    when v_to_balance is null then 'unknown-destination'
    when v_from_balance - held_minor_units(p_tenant_id, p_from, v_from_holds_until, p_captures) < p_amount_minor_units
      then 'insufficient-funds'
    when v_to_balance::numeric + p_amount_minor_units > 9223372036854775807 then 'balance-overflow'
  end;
  if refusal is null then
    create_transfer.created_at := greatest(
      next_entry_at(p_tenant_id, p_from, v_from_last), next_entry_at(p_tenant_id, p_to, v_to_last)
    );
    update accounts a
      set revision = a.revision + 1,
          last_entry_at = create_transfer.created_at,
          balance_minor_units = a.balance_minor_units
            + case when a.id = p_from then -p_amount_minor_units else p_amount_minor_units end
      where a.tenant_id = p_tenant_id and a.id in (p_from, p_to);
    insert into transfers
        (tenant_id, id, from_account_id, to_account_id, amount_minor_units, reference, reverses, created_at)
      values (p_tenant_id, p_id, p_from, p_to, p_amount_minor_units, p_reference, p_reverses, create_transfer.created_at);
    insert into ledger_entries
        (tenant_id, account_id, transfer_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
      values
        (p_tenant_id, p_from, p_id, -p_amount_minor_units::numeric, v_from_balance - p_amount_minor_units,
          p_issuer, p_subject, create_transfer.created_at),
        (p_tenant_id, p_to, p_id, p_amount_minor_units, v_to_balance + p_amount_minor_units,
          p_issuer, p_subject, create_transfer.created_at);
    perform tell(
      p_tenant_id, 'transfer.completed', '/transfers/' || p_id, create_transfer.created_at,
      transfer_json(
        p_id, p_from, p_to, p_amount_minor_units, p_reference, p_reverses, null, create_transfer.created_at
      ),
      p_issuer, p_subject
    );
  end if;
  return next;
end
$$;
