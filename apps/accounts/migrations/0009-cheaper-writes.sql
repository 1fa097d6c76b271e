-- Writes cost less: a write reads nothing first, neither its account nor the entry before its own.
\ir ../../../packages/services/events/migrations/0002-outbox-in-slots.sql

-- The balance before the last write, so that this one statement tells what a write has to enter.
alter table accounts add column previous_minor_units bigint;

-- In UTC: the next entry is later than this. The time of the last entry, or of a later moment at which the balance was
-- read. Without a time zone, because `+` of an interval is immutable then, as Citus wants it in an update.
lock table accounts in access exclusive mode;
do $$
begin
  -- All entries so far are before now.
  execute format('alter table accounts add column last_entry_utc timestamp not null default %L', clock_timestamp() at time zone 'UTC');
  alter table accounts alter column last_entry_utc set default '-infinity';
end
$$;

drop function next_entry_at(text, text);

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
  insert into accounts as a (tenant_id, id, balance_minor_units, created_at, last_entry_utc)
    values (p_tenant_id, p_id, p_balance_minor_units, v_at, v_at at time zone 'UTC')
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
  v_before bigint;
  v_utc timestamp := clock_timestamp() at time zone 'UTC';
  v_at timestamptz;
begin
  update accounts a
    set balance_minor_units = p_balance_minor_units, previous_minor_units = a.balance_minor_units,
      revision = a.revision + 1, last_entry_utc = greatest(v_utc, a.last_entry_utc + interval '1 microsecond')
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
    returning a.revision, a.previous_minor_units, a.last_entry_utc into swap_account.revision, v_before, v_utc;
  if not found then
    return;
  end if;
  -- `tell` is written out, for this is the most frequent write.
  v_at := v_utc at time zone 'UTC';
  insert into ledger_entries
      (tenant_id, account_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
    values
      (p_tenant_id, p_id, p_balance_minor_units::numeric - v_before, p_balance_minor_units,
        p_issuer, p_subject, v_at),
      (p_tenant_id, null, v_before - p_balance_minor_units::numeric, null, null, null, v_at);
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
  v_to_balance bigint;
  v_utc timestamp;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  -- In the order of their identifiers, so that two transfers between the same accounts wait for each other instead of
  -- deadlocking.
  for v_account in
    select a.id, a.balance_minor_units as balance, a.holds_until, a.last_entry_utc
    from accounts a
    where a.tenant_id = p_tenant_id and a.id in (p_from, p_to)
    order by a.id for update
  loop
    if v_account.id = p_from then
      v_from_balance := v_account.balance;
      v_from_holds_until := v_account.holds_until;
    else
      v_to_balance := v_account.balance;
    end if;
    v_utc := greatest(v_utc, v_account.last_entry_utc + interval '1 microsecond');
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
    v_utc := greatest(v_utc, clock_timestamp() at time zone 'UTC');
    create_transfer.created_at := v_utc at time zone 'UTC';
    update accounts a
      set revision = a.revision + 1,
          last_entry_utc = v_utc,
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

-- The balance of an account after its last entry at or before a moment; without one, now. No row: no such account. Exact
-- though others write: the next entry is later than a moment that was read.
create or replace function find_balance_at(p_tenant_id text, p_account_id text, p_at timestamptz)
returns table (outcome text, balance_minor_units bigint, moment timestamptz)
language plpgsql
as $$
declare
  v_account record;
  v_entry record;
  v_now timestamptz;
  v_utc timestamp;
  v_unfilled numeric;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select a.created_at into v_account from accounts a where a.tenant_id = p_tenant_id and a.id = p_account_id;
  if not found then
    return;
  end if;
  v_now := clock_timestamp();
  moment := coalesce(p_at, v_now);
  outcome := case when moment > v_now then 'future' when moment < v_account.created_at then 'absent' else 'found' end;
  if outcome <> 'found' then
    return next;
    return;
  end if;
  v_utc := moment at time zone 'UTC';
  -- Waits for a writer that is ahead. Another one, or a reader of a later moment, may be past this moment already.
  update accounts a set last_entry_utc = v_utc
    where a.tenant_id = p_tenant_id and a.id = p_account_id and a.last_entry_utc < v_utc
    returning a.balance_minor_units into find_balance_at.balance_minor_units;
  if not found then
    v_unfilled := fill_balances(p_tenant_id, p_account_id, 1000);
    select e.id, e.created_at, e.balance_minor_units into v_entry
      from ledger_entries e
      where e.tenant_id = p_tenant_id and e.account_id = p_account_id and e.created_at <= moment
      order by e.created_at desc, e.id desc limit 1;
    if not found then
      -- Before migration 0007 the first entry was a few microseconds younger than its account.
      select e.id, e.created_at, e.balance_minor_units into v_entry
        from ledger_entries e
        where e.tenant_id = p_tenant_id and e.account_id = p_account_id
        order by e.created_at, e.id limit 1;
    end if;
    balance_minor_units := v_entry.balance_minor_units;
    if balance_minor_units is null then
      select v_unfilled - coalesce(sum(e.amount_minor_units), 0) into balance_minor_units
        from ledger_entries e
        where e.tenant_id = p_tenant_id and e.account_id = p_account_id and e.balance_minor_units is null
          and (e.created_at, e.id) > (v_entry.created_at, v_entry.id);
    end if;
  end if;
  return next;
end
$$;
