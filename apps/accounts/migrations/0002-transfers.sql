-- Transfers between two accounts of a tenant, and the ledger that every change of a balance is entered in, twice: the
-- entries of a tenant always sum to zero.

create table transfers (
  tenant_id text not null,
  id uuid not null,
  from_account_id text collate "C" not null,
  to_account_id text collate "C" not null,
  amount_minor_units bigint not null check (amount_minor_units > 0),
  reference text,
  status text not null default 'completed' check (status = 'completed'),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, from_account_id) references accounts (tenant_id, id),
  foreign key (tenant_id, to_account_id) references accounts (tenant_id, id)
);

create index transfers_newest_first on transfers (tenant_id, created_at desc, id desc);
create index transfers_from_newest_first on transfers (tenant_id, from_account_id, created_at desc, id desc);
create index transfers_to_newest_first on transfers (tenant_id, to_account_id, created_at desc, id desc);

create table ledger_entries (
  tenant_id text not null,
  id bigint generated always as identity,
  -- Null: the tenant's counter-account, which stands for the world outside and has no balance.
  account_id text collate "C",
  -- Null: an adjustment, which is what an opening balance and a PUT are.
  transfer_id uuid,
  -- The difference of two 64-bit balances can need 65 bits.
  amount_minor_units numeric(20) not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

alter table transfers enable row level security;
alter table transfers force row level security;
create policy transfers_of_the_tenant on transfers
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

alter table ledger_entries enable row level security;
alter table ledger_entries force row level security;
create policy ledger_entries_of_the_tenant on ledger_entries
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

-- Both functions write their adjustment from here on.

create or replace function create_account(p_tenant_id text, p_id text, p_balance_minor_units bigint)
returns table (id text, balance_minor_units bigint, revision bigint, created_at timestamptz, store_epoch uuid)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    with created as (
      insert into accounts (tenant_id, id, balance_minor_units)
      values (p_tenant_id, p_id, p_balance_minor_units)
      on conflict do nothing
      returning accounts.*
    ), entered as (
      insert into ledger_entries (tenant_id, account_id, amount_minor_units)
      select p_tenant_id, entry.account_id, entry.amount
      from created c, lateral (values
        (c.id, c.balance_minor_units::numeric),
        (null, -c.balance_minor_units::numeric)
      ) as entry (account_id, amount)
    )
    select c.id, c.balance_minor_units, c.revision, c.created_at, e.epoch
    from created c cross join store_epoch e;
end
$$;

create or replace function swap_account(
  p_tenant_id text, p_id text, p_expected_revision bigint, p_balance_minor_units bigint
)
returns table (revision bigint)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    with swapped as (
      update accounts a
      set balance_minor_units = p_balance_minor_units, revision = a.revision + 1
      -- The row as it was. Its revision is the expected one too, or nothing is updated.
      from accounts before
      where before.tenant_id = p_tenant_id and before.id = p_id
        and a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
      returning a.revision, a.balance_minor_units::numeric - before.balance_minor_units as difference
    ), entered as (
      insert into ledger_entries (tenant_id, account_id, amount_minor_units)
      select p_tenant_id, entry.account_id, entry.amount
      from swapped s, lateral (values (p_id, s.difference), (null, -s.difference)) as entry (account_id, amount)
    )
    select s.revision from swapped s;
end
$$;

-- Moves money, or says with a kind of problem why it does not. The rows are locked in the order of their identifiers, so
-- that two transfers between the same accounts wait for each other instead of deadlocking.
create function create_transfer(
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
            + case a.id when p_from then -p_amount_minor_units else p_amount_minor_units end
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

create function find_transfer(p_tenant_id text, p_id uuid)
returns table (
  id uuid, from_account_id text, to_account_id text, amount_minor_units bigint, reference text, status text, created_at timestamptz
)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status, t.created_at
    from transfers t
    where t.tenant_id = p_tenant_id and t.id = p_id;
end
$$;

-- A page of transfers, newest first: all of them, or those from or to one account. No account sends to itself, so the two
-- halves of the union have no transfer in common; each comes out of its index in order.
create function list_transfers(
  p_tenant_id text, p_account_id text, p_behind_created_at timestamptz, p_behind_id uuid, p_limit integer
)
returns table (
  id uuid, from_account_id text, to_account_id text, amount_minor_units bigint, reference text, status text, created_at timestamptz
)
language plpgsql
as $$
declare
  v_behind_created_at timestamptz := coalesce(p_behind_created_at, 'infinity');
  v_behind_id uuid := coalesce(p_behind_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  if p_account_id is null then
    return query
      select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status, t.created_at
      from transfers t
      where t.tenant_id = p_tenant_id and (t.created_at, t.id) < (v_behind_created_at, v_behind_id)
      order by t.created_at desc, t.id desc
      limit p_limit;
  else
    return query
      select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status, t.created_at
      from (
        (select * from transfers f
         where f.tenant_id = p_tenant_id and f.from_account_id = p_account_id
           and (f.created_at, f.id) < (v_behind_created_at, v_behind_id)
         order by f.created_at desc, f.id desc limit p_limit)
        union all
        (select * from transfers r
         where r.tenant_id = p_tenant_id and r.to_account_id = p_account_id
           and (r.created_at, r.id) < (v_behind_created_at, v_behind_id)
         order by r.created_at desc, r.id desc limit p_limit)
      ) t
      order by t.created_at desc, t.id desc
      limit p_limit;
  end if;
end
$$;

grant select, insert on transfers, ledger_entries to meridian_accounts;
