-- Transfers can be reversed, once, and found by more than their account. Holds reserve a part of a balance until they are
-- captured, released or expired: what is left is available, and transfers are checked against that.

alter table transfers
  add column reverses uuid,
  add column reversed_by uuid;

create index transfers_by_reference on transfers (tenant_id, reference, created_at desc, id desc)
  where reference is not null;
create index transfers_from_by_reference on transfers (tenant_id, from_account_id, reference, created_at desc, id desc)
  where reference is not null;
create index transfers_to_by_reference on transfers (tenant_id, to_account_id, reference, created_at desc, id desc)
  where reference is not null;

-- No hold of the account is pending after this. Null: it never had one.
alter table accounts add column holds_until timestamptz;

create table holds (
  tenant_id text not null,
  id uuid not null,
  account_id text collate "C" not null,
  amount_minor_units bigint not null check (amount_minor_units > 0),
  captured_minor_units bigint not null default 0 check (captured_minor_units between 0 and amount_minor_units),
  -- An expired hold is still pending here: the clock alone ends it.
  status text not null default 'pending' check (status in ('pending', 'captured', 'released')),
  expires_at timestamptz not null,
  reference text,
  actor_issuer text,
  actor_subject text,
  created_at timestamptz not null,
  is_expiry_told boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id)
);

create index holds_newest_first on holds (tenant_id, account_id, created_at desc, id desc);
create index holds_by_status on holds (tenant_id, account_id, status, created_at desc, id desc);
create index holds_to_expire on holds (tenant_id, expires_at) where status = 'pending' and not is_expiry_told;
create index holds_pending on holds (tenant_id, account_id, expires_at) where status = 'pending';

alter table holds enable row level security;
alter table holds force row level security;
create policy holds_of_the_tenant on holds
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

-- The part of an account's balance that pending holds reserve, except one of them.
create function held_minor_units(
  p_tenant_id text, p_account_id text, p_holds_until timestamptz, p_except_hold_id uuid default null
)
returns numeric
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_held numeric := 0;
begin
  -- Most accounts have no hold, and this spares them a look at the index.
  if p_holds_until > v_now then
    select coalesce(sum(h.amount_minor_units), 0) into v_held
      from holds h
      where h.tenant_id = p_tenant_id and h.account_id = p_account_id and h.status = 'pending' and h.expires_at > v_now
        and h.id is distinct from p_except_hold_id;
  end if;
  return v_held;
end
$$;

drop function find_account(text, text);
create function find_account(p_tenant_id text, p_id text)
returns table (
  id text, balance_minor_units bigint, held_minor_units numeric, revision bigint, created_at timestamptz, store_epoch uuid
)
language plpgsql
as $$
declare
  v_holds_until timestamptz;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select a.id, a.balance_minor_units, a.holds_until, a.revision, a.created_at, e.epoch
    into find_account.id, find_account.balance_minor_units, v_holds_until, find_account.revision,
      find_account.created_at, find_account.store_epoch
    from accounts a cross join store_epoch e
    where a.tenant_id = p_tenant_id and a.id = p_id;
  if found then
    find_account.held_minor_units := 0;
    if v_holds_until is not null then
      find_account.held_minor_units := held_minor_units(p_tenant_id, p_id, v_holds_until);
    end if;
    return next;
  end if;
end
$$;

-- A transfer in an event, as it is represented.
create function transfer_json(
  p_id uuid, p_from text, p_to text, p_amount_minor_units bigint, p_reference text, p_reverses uuid, p_reversed_by uuid,
  p_created_at timestamptz
) returns json
language sql immutable
as $$
  select json_build_object(
    'id', p_id, 'from_account_id', p_from, 'to_account_id', p_to, 'amount_minor_units', p_amount_minor_units,
    'reference', p_reference, 'status', 'completed', 'reverses', p_reverses, 'reversed_by', p_reversed_by,
    'created_at', utc_text(p_created_at)
  )
$$;

-- A hold in an event, as it is represented.
create function hold_json(
  p_id uuid, p_account_id text, p_amount_minor_units bigint, p_captured_minor_units bigint, p_status text,
  p_expires_at timestamptz, p_reference text, p_created_at timestamptz
) returns json
language sql immutable
as $$
  select json_build_object(
    'id', p_id, 'account_id', p_account_id, 'amount_minor_units', p_amount_minor_units,
    'captured_minor_units', p_captured_minor_units, 'status', p_status, 'expires_at', utc_text(p_expires_at),
    'reference', p_reference, 'created_at', utc_text(p_created_at)
  )
$$;

-- Moves money, or says with a kind of problem why it does not. The rows are locked in the order of their identifiers, so
-- that two transfers between the same accounts wait for each other instead of deadlocking.
drop function create_transfer(text, uuid, text, text, bigint, text);
create function create_transfer(
  p_tenant_id text, p_id uuid, p_from text, p_to text, p_amount_minor_units bigint, p_reference text,
  p_issuer text default null, p_subject text default null,
  -- The transfer that this one reverses, and the hold that it captures.
  p_reverses uuid default null, p_captures uuid default null
)
returns table (refusal text, created_at timestamptz)
language plpgsql
as $$
declare
  v_from record;
  v_to record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform 1 from accounts a
    where a.tenant_id = p_tenant_id and a.id in (p_from, p_to)
    order by a.id for update;
  select a.balance_minor_units as balance, a.holds_until into v_from
    from accounts a where a.tenant_id = p_tenant_id and a.id = p_from;
  select a.balance_minor_units as balance into v_to
    from accounts a where a.tenant_id = p_tenant_id and a.id = p_to;

  refusal := case
    when v_from.balance is null then 'account-not-found'
    when p_from = p_to then 'same-account'
    when v_to.balance is null then 'unknown-destination'
    when v_from.balance - held_minor_units(p_tenant_id, p_from, v_from.holds_until, p_captures) < p_amount_minor_units
      then 'insufficient-funds'
    when v_to.balance::numeric + p_amount_minor_units > 9223372036854775807 then 'balance-overflow'
  end;
  if refusal is null then
    update accounts a
      set revision = a.revision + 1,
          balance_minor_units = a.balance_minor_units
            + case when a.id = p_from then -p_amount_minor_units else p_amount_minor_units end
      where a.tenant_id = p_tenant_id and a.id in (p_from, p_to);
    create_transfer.created_at := greatest(next_entry_at(p_tenant_id, p_from), next_entry_at(p_tenant_id, p_to));
    insert into transfers
        (tenant_id, id, from_account_id, to_account_id, amount_minor_units, reference, reverses, created_at)
      values (p_tenant_id, p_id, p_from, p_to, p_amount_minor_units, p_reference, p_reverses, create_transfer.created_at);
    insert into ledger_entries
        (tenant_id, account_id, transfer_id, amount_minor_units, balance_minor_units, actor_issuer, actor_subject, created_at)
      values
        (p_tenant_id, p_from, p_id, -p_amount_minor_units::numeric, v_from.balance - p_amount_minor_units,
          p_issuer, p_subject, create_transfer.created_at),
        (p_tenant_id, p_to, p_id, p_amount_minor_units, v_to.balance + p_amount_minor_units,
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

drop function find_transfer(text, uuid);
create function find_transfer(p_tenant_id text, p_id uuid)
returns table (
  id uuid, from_account_id text, to_account_id text, amount_minor_units bigint, reference text, status text,
  reverses uuid, reversed_by uuid, created_at timestamptz, store_epoch uuid
)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status,
      t.reverses, t.reversed_by, t.created_at, e.epoch
    from transfers t cross join store_epoch e
    where t.tenant_id = p_tenant_id and t.id = p_id;
end
$$;

-- A page of transfers, newest first: all of them, or those from or to one account, of a reference, of a time. No account
-- sends to itself, so the two halves of a union have no transfer in common; each comes out of its index in order.
drop function list_transfers(text, text, timestamptz, uuid, integer);
create function list_transfers(
  p_tenant_id text, p_account_id text, p_behind_created_at timestamptz, p_behind_id uuid, p_limit integer,
  p_direction text default null, p_reference text default null,
  p_created_after timestamptz default null, p_created_before timestamptz default null
)
returns table (
  id uuid, from_account_id text, to_account_id text, amount_minor_units bigint, reference text, status text,
  reverses uuid, reversed_by uuid, created_at timestamptz
)
language plpgsql
as $$
declare
  v_created_at timestamptz := coalesce(p_behind_created_at, p_created_before, 'infinity');
  -- The least identifier, so that what was created at p_created_before is not in the page.
  v_id uuid := coalesce(p_behind_id, '00000000-0000-0000-0000-000000000000');
  v_created_after timestamptz := coalesce(p_created_after, '-infinity');
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  if p_account_id is null and p_reference is null then
    return query
      select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status,
        t.reverses, t.reversed_by, t.created_at
      from transfers t
      where t.tenant_id = p_tenant_id and (t.created_at, t.id) < (v_created_at, v_id) and t.created_at >= v_created_after
      order by t.created_at desc, t.id desc
      limit p_limit;
  elsif p_account_id is null then
    return query
      select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status,
        t.reverses, t.reversed_by, t.created_at
      from transfers t
      where t.tenant_id = p_tenant_id and t.reference = p_reference
        and (t.created_at, t.id) < (v_created_at, v_id) and t.created_at >= v_created_after
      order by t.created_at desc, t.id desc
      limit p_limit;
  elsif p_reference is null then
    return query
      select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status,
        t.reverses, t.reversed_by, t.created_at
      from (
        (select * from transfers f
         where f.tenant_id = p_tenant_id and f.from_account_id = p_account_id and p_direction is distinct from 'in'
           and (f.created_at, f.id) < (v_created_at, v_id) and f.created_at >= v_created_after
         order by f.created_at desc, f.id desc limit p_limit)
        union all
        (select * from transfers r
         where r.tenant_id = p_tenant_id and r.to_account_id = p_account_id and p_direction is distinct from 'out'
           and (r.created_at, r.id) < (v_created_at, v_id) and r.created_at >= v_created_after
         order by r.created_at desc, r.id desc limit p_limit)
      ) t
      order by t.created_at desc, t.id desc
      limit p_limit;
  else
    return query
      select t.id, t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.status,
        t.reverses, t.reversed_by, t.created_at
      from (
        (select * from transfers f
         where f.tenant_id = p_tenant_id and f.from_account_id = p_account_id and f.reference = p_reference
           and p_direction is distinct from 'in'
           and (f.created_at, f.id) < (v_created_at, v_id) and f.created_at >= v_created_after
         order by f.created_at desc, f.id desc limit p_limit)
        union all
        (select * from transfers r
         where r.tenant_id = p_tenant_id and r.to_account_id = p_account_id and r.reference = p_reference
           and p_direction is distinct from 'out'
           and (r.created_at, r.id) < (v_created_at, v_id) and r.created_at >= v_created_after
         order by r.created_at desc, r.id desc limit p_limit)
      ) t
      order by t.created_at desc, t.id desc
      limit p_limit;
  end if;
end
$$;

-- The transfer in the other direction, once for each transfer.
create function reverse_transfer(
  p_tenant_id text, p_id uuid, p_reversed_id uuid, p_reference text, p_issuer text, p_subject text
)
returns table (
  refusal text, from_account_id text, to_account_id text, amount_minor_units bigint, created_at timestamptz
)
language plpgsql
as $$
declare
  v_reversed record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select t.from_account_id, t.to_account_id, t.amount_minor_units, t.reference, t.reverses, t.reversed_by, t.created_at
    into v_reversed
    from transfers t where t.tenant_id = p_tenant_id and t.id = p_reversed_id for update;
  refusal := case
    when not found then 'transfer-not-found'
    when v_reversed.reverses is not null then 'transfer-is-reversal'
    when v_reversed.reversed_by is not null then 'transfer-already-reversed'
  end;
  if refusal is null then
    from_account_id := v_reversed.to_account_id;
    to_account_id := v_reversed.from_account_id;
    amount_minor_units := v_reversed.amount_minor_units;
    select created.refusal, created.created_at into refusal, reverse_transfer.created_at
      from create_transfer(
        p_tenant_id, p_id, from_account_id, to_account_id, amount_minor_units, p_reference, p_issuer, p_subject,
        p_reversed_id
      ) created;
  end if;
  if refusal is null then
    update transfers t set reversed_by = p_id where t.tenant_id = p_tenant_id and t.id = p_reversed_id;
    perform tell(
      p_tenant_id, 'transfer.reversed', '/transfers/' || p_reversed_id, reverse_transfer.created_at,
      transfer_json(
        p_reversed_id, v_reversed.from_account_id, v_reversed.to_account_id, v_reversed.amount_minor_units,
        v_reversed.reference, null, p_id, v_reversed.created_at
      ),
      p_issuer, p_subject, 1
    );
  end if;
  return next;
end
$$;

-- Reserves a part of what is available. Without p_expires_at it expires in 7 days.
create function create_hold(
  p_tenant_id text, p_id uuid, p_account_id text, p_amount_minor_units bigint, p_expires_at timestamptz,
  p_reference text, p_issuer text, p_subject text
)
returns table (refusal text, expires_at timestamptz, created_at timestamptz)
language plpgsql
as $$
declare
  v_account record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select a.balance_minor_units as balance, a.holds_until into v_account
    from accounts a where a.tenant_id = p_tenant_id and a.id = p_account_id for update;
  create_hold.created_at := clock_timestamp();
  create_hold.expires_at := coalesce(p_expires_at, create_hold.created_at + interval '7 days');
  refusal := case
    when v_account.balance is null then 'account-not-found'
    when create_hold.expires_at <= create_hold.created_at
      or create_hold.expires_at > create_hold.created_at + interval '90 days' then 'invalid-expiry'
    when v_account.balance - held_minor_units(p_tenant_id, p_account_id, v_account.holds_until) < p_amount_minor_units
      then 'insufficient-funds'
  end;
  if refusal is null then
    update accounts a
      set revision = a.revision + 1, holds_until = greatest(a.holds_until, create_hold.expires_at)
      where a.tenant_id = p_tenant_id and a.id = p_account_id;
    insert into holds
        (tenant_id, id, account_id, amount_minor_units, expires_at, reference, actor_issuer, actor_subject, created_at)
      values
        (p_tenant_id, p_id, p_account_id, p_amount_minor_units, create_hold.expires_at, p_reference, p_issuer, p_subject,
          create_hold.created_at);
    perform tell(
      p_tenant_id, 'hold.created', '/holds/' || p_id, create_hold.created_at,
      hold_json(
        p_id, p_account_id, p_amount_minor_units, 0, 'pending', create_hold.expires_at, p_reference,
        create_hold.created_at
      ),
      p_issuer, p_subject
    );
  end if;
  return next;
end
$$;

create function find_hold(p_tenant_id text, p_id uuid)
returns table (
  id uuid, account_id text, amount_minor_units bigint, captured_minor_units bigint, status text, expires_at timestamptz,
  reference text, created_at timestamptz
)
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select h.id, h.account_id, h.amount_minor_units, h.captured_minor_units,
      case when h.status = 'pending' and h.expires_at <= v_now then 'expired' else h.status end,
      h.expires_at, h.reference, h.created_at
    from holds h where h.tenant_id = p_tenant_id and h.id = p_id;
end
$$;

-- A page of an account's holds, newest first: all of them, or those of a status.
create function list_holds(
  p_tenant_id text, p_account_id text, p_status text, p_position_created_at timestamptz, p_position_id uuid,
  p_limit integer
)
returns table (
  id uuid, account_id text, amount_minor_units bigint, captured_minor_units bigint, status text, expires_at timestamptz,
  reference text, created_at timestamptz
)
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_stored_status text := case when p_status = 'expired' then 'pending' else p_status end;
  v_created_at timestamptz := coalesce(p_position_created_at, 'infinity');
  v_id uuid := coalesce(p_position_id, '00000000-0000-0000-0000-000000000000');
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  if p_status is null then
    return query
      select h.id, h.account_id, h.amount_minor_units, h.captured_minor_units,
        case when h.status = 'pending' and h.expires_at <= v_now then 'expired' else h.status end,
        h.expires_at, h.reference, h.created_at
      from holds h
      where h.tenant_id = p_tenant_id and h.account_id = p_account_id and (h.created_at, h.id) < (v_created_at, v_id)
      order by h.created_at desc, h.id desc
      limit p_limit;
  else
    return query
      select h.id, h.account_id, h.amount_minor_units, h.captured_minor_units, p_status,
        h.expires_at, h.reference, h.created_at
      from holds h
      where h.tenant_id = p_tenant_id and h.account_id = p_account_id and h.status = v_stored_status
        and (h.created_at, h.id) < (v_created_at, v_id)
        and (p_status not in ('pending', 'expired') or (h.expires_at <= v_now) = (p_status = 'expired'))
      order by h.created_at desc, h.id desc
      limit p_limit;
  end if;
end
$$;

-- Moves what is held, or a part of it, to another account. The rest is released.
create function capture_hold(
  p_tenant_id text, p_id uuid, p_transfer_id uuid, p_to text, p_amount_minor_units bigint, p_issuer text, p_subject text
)
returns table (
  refusal text, from_account_id text, amount_minor_units bigint, reference text, created_at timestamptz
)
language plpgsql
as $$
declare
  v_hold record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select h.account_id, h.amount_minor_units as amount, h.status, h.expires_at, h.reference, h.created_at into v_hold
    from holds h where h.tenant_id = p_tenant_id and h.id = p_id for update;
  refusal := case
    when not found then 'hold-not-found'
    when v_hold.status <> 'pending' or v_hold.expires_at <= clock_timestamp() then 'hold-not-pending'
    when p_amount_minor_units > v_hold.amount then 'amount-above-hold'
  end;
  if refusal is null then
    from_account_id := v_hold.account_id;
    capture_hold.amount_minor_units := coalesce(p_amount_minor_units, v_hold.amount);
    capture_hold.reference := v_hold.reference;
    select created.refusal, created.created_at into refusal, capture_hold.created_at
      from create_transfer(
        p_tenant_id, p_transfer_id, v_hold.account_id, p_to, capture_hold.amount_minor_units, v_hold.reference,
        p_issuer, p_subject, null, p_id
      ) created;
  end if;
  if refusal is null then
    update holds h
      set status = 'captured', captured_minor_units = capture_hold.amount_minor_units
      where h.tenant_id = p_tenant_id and h.id = p_id;
    perform tell(
      p_tenant_id, 'hold.captured', '/holds/' || p_id,
      greatest(capture_hold.created_at, v_hold.created_at + interval '1 microsecond'),
      hold_json(
        p_id, v_hold.account_id, v_hold.amount, capture_hold.amount_minor_units, 'captured', v_hold.expires_at,
        v_hold.reference, v_hold.created_at
      ),
      p_issuer, p_subject, 1
    );
  end if;
  return next;
end
$$;

create function release_hold(p_tenant_id text, p_id uuid, p_issuer text, p_subject text)
returns table (
  refusal text, id uuid, account_id text, amount_minor_units bigint, captured_minor_units bigint, status text,
  expires_at timestamptz, reference text, created_at timestamptz
)
language plpgsql
as $$
declare
  v_hold holds;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select h.* into v_hold from holds h where h.tenant_id = p_tenant_id and h.id = p_id for update;
  refusal := case
    when not found then 'hold-not-found'
    when v_hold.status <> 'pending' or v_hold.expires_at <= clock_timestamp() then 'hold-not-pending'
  end;
  if refusal is null then
    update holds h set status = 'released' where h.tenant_id = p_tenant_id and h.id = p_id;
    update accounts a set revision = a.revision + 1 where a.tenant_id = p_tenant_id and a.id = v_hold.account_id;
    release_hold.id := p_id;
    release_hold.account_id := v_hold.account_id;
    release_hold.amount_minor_units := v_hold.amount_minor_units;
    release_hold.captured_minor_units := 0;
    release_hold.status := 'released';
    release_hold.expires_at := v_hold.expires_at;
    release_hold.reference := v_hold.reference;
    release_hold.created_at := v_hold.created_at;
    perform tell(
      p_tenant_id, 'hold.released', '/holds/' || p_id,
      greatest(clock_timestamp(), v_hold.created_at + interval '1 microsecond'),
      hold_json(
        p_id, v_hold.account_id, v_hold.amount_minor_units, 0, 'released', v_hold.expires_at, v_hold.reference,
        v_hold.created_at
      ),
      p_issuer, p_subject
    );
  end if;
  return next;
end
$$;

-- Puts events of holds whose time is over into the outbox, for `list_events`.
create function tell_expired_holds(p_tenant_id text, p_limit integer) returns void
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_hold record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  for v_hold in
    select h.id, h.account_id, h.amount_minor_units, h.expires_at, h.reference, h.created_at
    from holds h
    where h.tenant_id = p_tenant_id and h.status = 'pending' and not h.is_expiry_told and h.expires_at <= v_now
    order by h.expires_at limit p_limit for update skip locked
  loop
    update holds h set is_expiry_told = true where h.tenant_id = p_tenant_id and h.id = v_hold.id;
    perform tell(
      p_tenant_id, 'hold.expired', '/holds/' || v_hold.id, v_hold.expires_at,
      hold_json(
        v_hold.id, v_hold.account_id, v_hold.amount_minor_units, 0, 'expired', v_hold.expires_at, v_hold.reference,
        v_hold.created_at
      ),
      null, null
    );
  end loop;
end
$$;

grant update (reversed_by) on transfers to meridian_accounts;
grant select, insert on holds to meridian_accounts;
grant update (status, captured_minor_units, is_expiry_told) on holds to meridian_accounts;
