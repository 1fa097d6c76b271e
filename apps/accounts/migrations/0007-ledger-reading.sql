-- The ledger can be read: each entry of an account has the balance after it and its actor, and a time of its own, so that
-- a balance at a moment is one range of one index. Functions keep their old arguments: new ones have defaults, for
-- processes of the version before.

alter table ledger_entries
  -- After the entry. Null in the counter-account, and in entries from before this migration until `fill_balances` has
  -- filled them.
  add column balance_minor_units bigint,
  -- Issuer and subject of the token. Null before they were recorded, and in the counter-account.
  add column actor_issuer text,
  add column actor_subject text;

create index ledger_entries_newest_first on ledger_entries (tenant_id, account_id, created_at desc, id desc)
  where account_id is not null;
create index ledger_entries_unfilled on ledger_entries (tenant_id, account_id, created_at desc, id desc)
  where account_id is not null and balance_minor_units is null;

-- The balance after the newest entry of an account that has none recorded; null when each has one.
create function unfilled_balance(p_tenant_id text, p_account_id text) returns numeric
language plpgsql
as $$
declare
  v_unfilled record;
  v_balance numeric;
begin
  select e.created_at, e.id into v_unfilled
    from ledger_entries e
    where e.tenant_id = p_tenant_id and e.account_id = p_account_id and e.balance_minor_units is null
    order by e.created_at desc, e.id desc limit 1;
  if not found then
    return null;
  end if;
  select e.balance_minor_units - e.amount_minor_units into v_balance
    from ledger_entries e
    where e.tenant_id = p_tenant_id and e.account_id = p_account_id
      and (e.created_at, e.id) > (v_unfilled.created_at, v_unfilled.id)
    order by e.created_at, e.id limit 1;
  if not found then
    select a.balance_minor_units into v_balance
      from accounts a where a.tenant_id = p_tenant_id and a.id = p_account_id;
  end if;
  return v_balance;
end
$$;

-- Records the balances of an account's newest entries that have none, p_limit at most. Each read of entries calls it, so
-- that old histories are filled in batches while the service runs. Returns `unfilled_balance` of what is left.
create function fill_balances(p_tenant_id text, p_account_id text, p_limit integer) returns numeric
language plpgsql
as $$
declare
  v_balance numeric := unfilled_balance(p_tenant_id, p_account_id);
begin
  if v_balance is null then
    return null;
  end if;
  -- Under the lock that writers take: nobody adds an entry, and nobody else fills.
  perform 1 from accounts a where a.tenant_id = p_tenant_id and a.id = p_account_id for update;
  v_balance := unfilled_balance(p_tenant_id, p_account_id);
  update ledger_entries e
    set balance_minor_units = filled.balance
    from (
      select u.id, v_balance - coalesce(sum(u.amount_minor_units) over (
          order by u.created_at desc, u.id desc rows between unbounded preceding and 1 preceding
        ), 0) as balance
      from ledger_entries u
      where u.tenant_id = p_tenant_id and u.account_id = p_account_id and u.balance_minor_units is null
      order by u.created_at desc, u.id desc limit p_limit
    ) filled
    where e.tenant_id = p_tenant_id and e.id = filled.id;
  return unfilled_balance(p_tenant_id, p_account_id);
end
$$;

-- The time of the next entry of an account whose row is locked: later than its last one, even if the clock went back.
create function next_entry_at(p_tenant_id text, p_account_id text) returns timestamptz
language plpgsql
as $$
declare
  v_last timestamptz;
begin
  select e.created_at into v_last
    from ledger_entries e
    where e.tenant_id = p_tenant_id and e.account_id = p_account_id
    order by e.created_at desc, e.id desc limit 1;
  return greatest(clock_timestamp(), v_last + interval '1 microsecond');
end
$$;

drop function create_account(text, text, bigint);
create function create_account(
  p_tenant_id text, p_id text, p_balance_minor_units bigint, p_issuer text default null, p_subject text default null
)
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
    insert into ledger_entries
        (tenant_id, account_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
      values
        (p_tenant_id, p_id, p_balance_minor_units, p_balance_minor_units, p_issuer, p_subject, create_account.created_at),
        (p_tenant_id, null, -p_balance_minor_units::numeric, null, null, null, create_account.created_at);
    perform tell(
      p_tenant_id, 'account.created', '/accounts/' || p_id, create_account.created_at,
      json_build_object('id', p_id, 'balance_minor_units', p_balance_minor_units), p_issuer, p_subject
    );
    select e.epoch into create_account.store_epoch from store_epoch e;
    return next;
  end if;
end
$$;

drop function swap_account(text, text, bigint, bigint);
create function swap_account(
  p_tenant_id text, p_id text, p_expected_revision bigint, p_balance_minor_units bigint,
  p_issuer text default null, p_subject text default null
)
returns table (revision bigint)
language plpgsql
as $$
declare
  v_balance_before bigint;
  v_last timestamptz;
  v_at timestamptz;
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
    -- `next_entry_at` and `tell`, without a call of a function each: this is the most frequent write.
    select e.created_at into v_last
      from ledger_entries e
      where e.tenant_id = p_tenant_id and e.account_id = p_id
      order by e.created_at desc, e.id desc limit 1;
    v_at := greatest(clock_timestamp(), v_last + interval '1 microsecond');
    insert into ledger_entries
        (tenant_id, account_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
      values
        (p_tenant_id, p_id, p_balance_minor_units::numeric - v_balance_before, p_balance_minor_units,
          p_issuer, p_subject, v_at),
        (p_tenant_id, null, v_balance_before - p_balance_minor_units::numeric, null, null, null, v_at);
    insert into event_outbox (tenant_id, type, subject, time, data, actor_issuer, actor_subject)
      values (p_tenant_id, 'account.updated', '/accounts/' || p_id, v_at,
        json_build_object('id', p_id, 'balance_minor_units', p_balance_minor_units), p_issuer, p_subject);
    return next;
  end if;
end
$$;

-- A page of an account's entries, newest first.
create function list_entries(
  p_tenant_id text, p_account_id text, p_position_created_at timestamptz, p_position_id bigint, p_limit integer
)
returns table (
  id bigint, transfer_id uuid, is_first boolean, amount_minor_units numeric, balance_minor_units bigint,
  actor_issuer text, actor_subject text, created_at timestamptz
)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  -- More than a page: who walks on from here finds its page filled.
  perform fill_balances(p_tenant_id, p_account_id, 1000);
  return query
    select e.id, e.transfer_id,
      -- Of the rows after the page, one more tells whether the last of it is the account's first.
      lead(e.id) over (order by e.created_at desc, e.id desc) is null,
      e.amount_minor_units, e.balance_minor_units, e.actor_issuer, e.actor_subject, e.created_at
    from ledger_entries e
    where e.tenant_id = p_tenant_id and e.account_id = p_account_id
      and (e.created_at, e.id) < (coalesce(p_position_created_at, 'infinity'), coalesce(p_position_id, 9223372036854775807))
    order by e.created_at desc, e.id desc
    limit p_limit;
end
$$;

-- The balance of an account after its last entry at or before a moment; without one, now. No row: no such account.
-- Exact though others write: they wait while this reads, and theirs are later entries.
create function find_balance_at(p_tenant_id text, p_account_id text, p_at timestamptz)
returns table (outcome text, balance_minor_units bigint, moment timestamptz)
language plpgsql
as $$
declare
  v_account record;
  v_entry record;
  v_now timestamptz;
  v_unfilled numeric;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select a.balance_minor_units, a.created_at into v_account
    from accounts a where a.tenant_id = p_tenant_id and a.id = p_account_id for share;
  if not found then
    return;
  end if;
  v_now := clock_timestamp();
  moment := coalesce(p_at, v_now);
  outcome := case when moment > v_now then 'future' when moment < v_account.created_at then 'absent' else 'found' end;
  if outcome = 'found' and p_at is null then
    balance_minor_units := v_account.balance_minor_units;
  elsif outcome = 'found' then
    v_unfilled := fill_balances(p_tenant_id, p_account_id, 1000);
    select e.id, e.created_at, e.balance_minor_units into v_entry
      from ledger_entries e
      where e.tenant_id = p_tenant_id and e.account_id = p_account_id and e.created_at <= moment
      order by e.created_at desc, e.id desc limit 1;
    if not found then
      -- Before this migration the first entry was a few microseconds younger than its account.
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

-- The accounts with these identifiers, in any order.
create function find_accounts(p_tenant_id text, p_ids text[])
returns table (id text, balance_minor_units bigint, created_at timestamptz)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select a.id, a.balance_minor_units, a.created_at
    from accounts a where a.tenant_id = p_tenant_id and a.id = any (p_ids);
end
$$;

-- A page of the accounts created in a time: from the first moment on, and before the second.
drop function list_accounts(text, timestamptz, text, integer);
create function list_accounts(
  p_tenant_id text, p_behind_created_at timestamptz, p_behind_id text, p_limit integer,
  p_created_after timestamptz default null, p_created_before timestamptz default null
)
returns table (id text, balance_minor_units bigint, revision bigint, created_at timestamptz, store_epoch uuid)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select a.id, a.balance_minor_units, a.revision, a.created_at, e.epoch
    from accounts a cross join store_epoch e
    where a.tenant_id = p_tenant_id
      -- The empty identifier is before every other one, so that what was created at p_created_before is not in the page.
      and (a.created_at, a.id) < (coalesce(p_behind_created_at, p_created_before, 'infinity'), coalesce(p_behind_id, ''))
      and a.created_at >= coalesce(p_created_after, '-infinity')
    order by a.created_at desc, a.id desc
    limit p_limit;
end
$$;

grant update (balance_minor_units) on ledger_entries to meridian_accounts;
