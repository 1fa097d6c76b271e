-- Accounts of all tenants. The service's role owns nothing here: it reads and writes through forced row-level
-- security, so a statement that forgets its tenant finds no row.

create table accounts (
  tenant_id text not null,
  -- "C": identifiers are compared byte by byte, in the index and in pages.
  id text collate "C" not null,
  balance_minor_units bigint not null,
  -- Never leaves the service. Each successful write raises it by exactly 1; the entity tag is derived from it.
  revision bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

create index accounts_newest_first on accounts (tenant_id, created_at desc, id desc);

alter table accounts enable row level security;
alter table accounts force row level security;

create policy accounts_of_the_tenant on accounts
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

-- One random value for this store. It is a part of every entity tag: after a restore from a backup the revisions run
-- anew, and a tag from before must not match. Whoever restores runs `select renew_store_epoch()` as the owner.
create table store_epoch (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid()
);

insert into store_epoch default values;

create function renew_store_epoch() returns uuid
language sql
as $$
  update store_epoch set epoch = gen_random_uuid() returning epoch;
$$;

revoke all on function renew_store_epoch() from public;

-- Each of these sets the tenant and does its work in a single statement, so in a single round trip: setting it in a
-- transaction of the client's would take four.

create function find_account(p_tenant_id text, p_id text)
returns table (id text, balance_minor_units bigint, revision bigint, created_at timestamptz, store_epoch uuid)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select a.id, a.balance_minor_units, a.revision, a.created_at, e.epoch
    from accounts a cross join store_epoch e
    where a.tenant_id = p_tenant_id and a.id = p_id;
end
$$;

-- No row: an account with this identifier exists already.
create function create_account(p_tenant_id text, p_id text, p_balance_minor_units bigint)
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
    )
    select c.id, c.balance_minor_units, c.revision, c.created_at, e.epoch
    from created c cross join store_epoch e;
end
$$;

-- The compare-and-swap, the correctness boundary of every write. No row: the revision is not the expected one any
-- more, or the account is gone.
create function swap_account(p_tenant_id text, p_id text, p_expected_revision bigint, p_balance_minor_units bigint)
returns table (revision bigint)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    update accounts a
    set balance_minor_units = p_balance_minor_units, revision = a.revision + 1
    where a.tenant_id = p_tenant_id and a.id = p_id and a.revision = p_expected_revision
    returning a.revision;
end
$$;

-- A page of accounts, newest first, from behind a position; from the start without one. The row comparison is the order
-- of accounts_newest_first, so that a page costs the same wherever it starts.
create function list_accounts(p_tenant_id text, p_behind_created_at timestamptz, p_behind_id text, p_limit integer)
returns table (id text, balance_minor_units bigint, revision bigint, created_at timestamptz, store_epoch uuid)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  if p_behind_id is null then
    return query
      select a.id, a.balance_minor_units, a.revision, a.created_at, e.epoch
      from accounts a cross join store_epoch e
      where a.tenant_id = p_tenant_id
      order by a.created_at desc, a.id desc
      limit p_limit;
  else
    return query
      select a.id, a.balance_minor_units, a.revision, a.created_at, e.epoch
      from accounts a cross join store_epoch e
      where a.tenant_id = p_tenant_id and (a.created_at, a.id) < (p_behind_created_at, p_behind_id)
      order by a.created_at desc, a.id desc
      limit p_limit;
  end if;
end
$$;

grant select, insert, update on accounts to meridian_accounts;
grant select on store_epoch to meridian_accounts;
