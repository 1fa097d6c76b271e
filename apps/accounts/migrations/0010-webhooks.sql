-- Webhooks: endpoints, and a delivery of each event to each endpoint that takes its type. Writers of accounts do nothing
-- for them: the process that sends reads the log of events on, as any reader does, and enters the deliveries.

create table webhooks (
  tenant_id text not null,
  id uuid not null,
  url text not null,
  -- Null for all types.
  types text[],
  description text,
  -- `deleted` until its deliveries are gone.
  status text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  -- Of a disabled one: `requested`, `failing` or `gone`.
  disabled_reason text,
  -- Encrypted by the service, the newest first, each with the end of its use.
  sealed_secrets text[] not null,
  secret_ends timestamptz[] not null,
  -- No event from before it is delivered.
  active_since timestamptz not null,
  -- The first failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);

create index webhooks_newest_first on webhooks (tenant_id, created_at desc, id desc);

create table webhook_deliveries (
  tenant_id text not null,
  webhook_id uuid not null,
  -- In the order of creation.
  id uuid not null,
  event_id uuid not null,
  -- The event's place in `event_log`.
  event_slot smallint not null,
  event_position bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  last_status smallint,
  last_error text,
  -- Null unless it is pending.
  next_attempt_at timestamptz,
  -- A process sends it; if that dies, another one may from then on.
  leased_until timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, webhook_id, id)
);

create index webhook_deliveries_next on webhook_deliveries (tenant_id, webhook_id, next_attempt_at)
  where status = 'pending';

-- The place in the log up to which events have their deliveries. Its row is locked by what changes that place.
create table webhook_cursors (
  tenant_id text primary key,
  position bigint not null,
  period integer not null,
  -- When deliveries of more than 30 days were last dropped.
  cleaned_at timestamptz not null
);

-- When to look at each tenant that has webhooks: names and times, no data, so that a process finds all that is due in one
-- statement. Not under row-level security therefore. `queue` has one value: on Citus all rows are on one worker.
create table webhook_queue (
  queue text not null,
  tenant text not null,
  due_at timestamptz not null,
  primary key (queue, tenant)
);

create index webhook_queue_due on webhook_queue (queue, due_at);

alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy webhooks_of_the_tenant on webhooks
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy webhook_deliveries_of_the_tenant on webhook_deliveries
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

alter table webhook_cursors enable row level security;
alter table webhook_cursors force row level security;
create policy webhook_cursors_of_the_tenant on webhook_cursors
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

-- A UUIDv7 of this time that sorts by microseconds (RFC 9562, section 6.2, method 3). With p_random false, the least one.
create function ordered_uuid(p_time timestamptz, p_random boolean default true) returns uuid
language plpgsql
as $$
declare
  v_us bigint := floor(extract(epoch from p_time) * 1000000)::bigint;
  v_tail text := '8000000000000000';
begin
  if p_random then
    v_tail := substr(replace(gen_random_uuid()::text, '-', ''), 17);
  end if;
  return (
    lpad(to_hex(v_us / 1000), 12, '0') || '7' || lpad(to_hex((v_us % 1000) * 4096 / 1000), 3, '0') || v_tail
  )::uuid;
end
$$;

-- Locks the tenant's cursor; without an active webhook, first moves it to the end of the log.
create function lock_webhooks(p_tenant_id text) returns void
language plpgsql
as $$
declare
  v_position bigint;
  v_period integer;
  v_now timestamptz := clock_timestamp();
begin
  insert into webhook_cursors (tenant_id, position, period, cleaned_at) values (p_tenant_id, 0, 0, v_now)
    on conflict do nothing;
  perform 1 from webhook_cursors c where c.tenant_id = p_tenant_id for update;
  perform 1 from webhooks w where w.tenant_id = p_tenant_id and w.status = 'active' limit 1;
  if not found then
    select h.position, h.period into v_position, v_period from event_heads h where h.tenant_id = p_tenant_id;
    v_position := coalesce(v_position, 0);
    v_period := coalesce(v_period, period_of(v_now));
    update webhook_cursors c set position = v_position, period = v_period where c.tenant_id = p_tenant_id;
  end if;
end
$$;

create function create_webhook(
  p_tenant_id text, p_id uuid, p_url text, p_types text[], p_description text, p_sealed_secret text, p_limit integer
)
returns table (refusal text, created_at timestamptz)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform lock_webhooks(p_tenant_id);
  create_webhook.created_at := clock_timestamp();
  if (select count(*) from webhooks w where w.tenant_id = p_tenant_id and w.status <> 'deleted') >= p_limit then
    refusal := 'webhook-limit-reached';
  else
    insert into webhooks
        (tenant_id, id, url, types, description, sealed_secrets, secret_ends, active_since, created_at)
      values
        (p_tenant_id, p_id, p_url, p_types, p_description, array[p_sealed_secret], array['infinity'::timestamptz],
          create_webhook.created_at, create_webhook.created_at);
  end if;
  return next;
end
$$;

create function find_webhook(p_tenant_id text, p_id uuid)
returns table (
  id uuid, url text, types text[], description text, status text, disabled_reason text, failing_since timestamptz,
  created_at timestamptz
)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select w.id, w.url, w.types, w.description, w.status, w.disabled_reason, w.failing_since, w.created_at
    from webhooks w where w.tenant_id = p_tenant_id and w.id = p_id and w.status <> 'deleted';
end
$$;

create function list_webhooks(
  p_tenant_id text, p_position_created_at timestamptz, p_position_id uuid, p_limit integer
)
returns table (
  id uuid, url text, types text[], description text, status text, disabled_reason text, failing_since timestamptz,
  created_at timestamptz
)
language plpgsql
as $$
declare
  v_created_at timestamptz := coalesce(p_position_created_at, 'infinity');
  v_id uuid := coalesce(p_position_id, '00000000-0000-0000-0000-000000000000');
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select w.id, w.url, w.types, w.description, w.status, w.disabled_reason, w.failing_since, w.created_at
    from webhooks w
    where w.tenant_id = p_tenant_id and w.status <> 'deleted' and (w.created_at, w.id) < (v_created_at, v_id)
    order by w.created_at desc, w.id desc
    limit p_limit;
end
$$;

-- Sets the members that p_members names: url, types, description, status.
create function update_webhook(
  p_tenant_id text, p_id uuid, p_members text[], p_url text, p_types text[], p_description text, p_status text
)
returns table (
  id uuid, url text, types text[], description text, status text, disabled_reason text, failing_since timestamptz,
  created_at timestamptz
)
language plpgsql
as $$
declare
  v_webhook webhooks;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform lock_webhooks(p_tenant_id);
  select w.* into v_webhook
    from webhooks w where w.tenant_id = p_tenant_id and w.id = p_id and w.status <> 'deleted' for update;
  if not found then
    return;
  end if;
  if 'url' = any (p_members) then
    v_webhook.url := p_url;
  end if;
  if 'types' = any (p_members) then
    v_webhook.types := p_types;
  end if;
  if 'description' = any (p_members) then
    v_webhook.description := p_description;
  end if;
  if 'status' = any (p_members) and v_webhook.status <> p_status then
    v_webhook.status := p_status;
    if p_status = 'active' then
      v_webhook.active_since := clock_timestamp();
      v_webhook.disabled_reason := null;
      v_webhook.failing_since := null;
    else
      v_webhook.disabled_reason := 'requested';
    end if;
  end if;
  update webhooks w
    set url = v_webhook.url, types = v_webhook.types, description = v_webhook.description, status = v_webhook.status,
      disabled_reason = v_webhook.disabled_reason, active_since = v_webhook.active_since,
      failing_since = v_webhook.failing_since
    where w.tenant_id = p_tenant_id and w.id = p_id;
  return query select * from find_webhook(p_tenant_id, p_id);
end
$$;

-- Nothing is sent from then on, and nothing is left of its secrets. `claim_webhook_deliveries` drops its deliveries.
create function delete_webhook(p_tenant_id text, p_id uuid) returns boolean
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  update webhooks w set status = 'deleted', sealed_secrets = '{}', secret_ends = '{}'
    where w.tenant_id = p_tenant_id and w.id = p_id and w.status <> 'deleted';
  return found;
end
$$;

-- Adds a secret. Those before it sign for p_overlap more at most, and of more than five the oldest ends at once.
create function rotate_webhook_secret(p_tenant_id text, p_id uuid, p_sealed_secret text, p_overlap interval)
returns table (
  id uuid, url text, types text[], description text, status text, disabled_reason text, failing_since timestamptz,
  created_at timestamptz
)
language plpgsql
as $$
declare
  v_webhook webhooks;
  v_now timestamptz := clock_timestamp();
  v_secrets text[] := array[p_sealed_secret];
  v_ends timestamptz[] := array['infinity'::timestamptz];
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select w.* into v_webhook
    from webhooks w where w.tenant_id = p_tenant_id and w.id = p_id and w.status <> 'deleted' for update;
  if not found then
    return;
  end if;
  for i in 1..cardinality(v_webhook.sealed_secrets) loop
    if v_webhook.secret_ends[i] > v_now and cardinality(v_secrets) < 5 then
      v_secrets := v_secrets || v_webhook.sealed_secrets[i];
      v_ends := v_ends || least(v_webhook.secret_ends[i], v_now + p_overlap);
    end if;
  end loop;
  update webhooks w set sealed_secrets = v_secrets, secret_ends = v_ends
    where w.tenant_id = p_tenant_id and w.id = p_id;
  return query select * from find_webhook(p_tenant_id, p_id);
end
$$;

-- A page of a webhook's deliveries, newest first.
create function list_webhook_deliveries(p_tenant_id text, p_webhook_id uuid, p_position_id uuid, p_limit integer)
returns table (
  id uuid, event_id uuid, status text, attempts integer, last_status smallint, last_error text,
  next_attempt_at timestamptz, created_at timestamptz
)
language plpgsql
as $$
declare
  v_id uuid := coalesce(p_position_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select d.id, d.event_id, d.status, d.attempts, d.last_status, d.last_error, d.next_attempt_at, d.created_at
    from webhook_deliveries d
    where d.tenant_id = p_tenant_id and d.webhook_id = p_webhook_id and d.id < v_id
    order by d.id desc
    limit p_limit;
end
$$;

-- Makes a delivery due at once, whatever came of it before.
create function retry_webhook_delivery(p_tenant_id text, p_webhook_id uuid, p_id uuid)
returns table (
  refusal text, id uuid, event_id uuid, status text, attempts integer, last_status smallint, last_error text,
  next_attempt_at timestamptz, created_at timestamptz
)
language plpgsql
as $$
declare
  v_status text;
  v_delivery webhook_deliveries;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select w.status into v_status
    from webhooks w where w.tenant_id = p_tenant_id and w.id = p_webhook_id and w.status <> 'deleted';
  select d.* into v_delivery
    from webhook_deliveries d
    where d.tenant_id = p_tenant_id and d.webhook_id = p_webhook_id and d.id = p_id for update;
  refusal := case
    when v_status is null then 'webhook-not-found'
    when v_delivery.id is null then 'delivery-not-found'
    when v_status <> 'active' then 'webhook-disabled'
  end;
  if refusal is null then
    v_delivery.next_attempt_at := clock_timestamp();
    update webhook_deliveries d set status = 'pending', next_attempt_at = v_delivery.next_attempt_at
      where d.tenant_id = p_tenant_id and d.webhook_id = p_webhook_id and d.id = p_id;
    id := v_delivery.id;
    event_id := v_delivery.event_id;
    retry_webhook_delivery.status := 'pending';
    attempts := v_delivery.attempts;
    last_status := v_delivery.last_status;
    last_error := v_delivery.last_error;
    next_attempt_at := v_delivery.next_attempt_at;
    created_at := v_delivery.created_at;
  end if;
  return next;
end
$$;

-- Enters the deliveries of further events: about a thousand, of a hundred events at most. Returns true when there may be
-- more. Holds the lock of the cursor until the end of the transaction, so that turns of a tenant come one after another.
create function enter_webhook_deliveries(p_tenant_id text) returns boolean
language plpgsql
as $$
declare
  v_limit integer;
  v_position bigint;
  v_period integer;
  v_event record;
  v_webhook record;
  v_at timestamptz := clock_timestamp();
  v_count integer := 0;
begin
  select c.position, c.period into v_position, v_period
    from webhook_cursors c where c.tenant_id = p_tenant_id for update;
  if not found then
    return false;
  end if;
  select greatest(1, 1000 / greatest(10, count(*)))::integer into v_limit
    from webhooks w where w.tenant_id = p_tenant_id and w.status = 'active';
  -- Events from before these ten days and the three before are gone.
  v_period := greatest(v_period, period_of(v_at) - 3);
  for v_event in select * from list_events(p_tenant_id, v_position, v_period, v_limit, null, null) loop
    v_position := v_event.log_position;
    v_period := v_event.period;
    if v_event.id is not null then
      v_count := v_count + 1;
      for v_webhook in
        select w.id from webhooks w
        where w.tenant_id = p_tenant_id and w.status = 'active' and w.active_since <= v_event.time
          and (w.types is null or v_event.type = any (w.types))
      loop
        v_at := greatest(clock_timestamp(), v_at + interval '1 microsecond');
        insert into webhook_deliveries
            (tenant_id, webhook_id, id, event_id, event_slot, event_position, next_attempt_at, created_at)
          values
            (p_tenant_id, v_webhook.id, ordered_uuid(v_at), v_event.id, mod(v_event.period, 5), v_event.log_position,
              v_at, v_at);
      end loop;
    end if;
  end loop;
  update webhook_cursors c set position = v_position, period = v_period where c.tenant_id = p_tenant_id;
  return v_count >= v_limit;
end
$$;

-- Drops about p_limit deliveries of more than 30 days, and of deleted webhooks: each hour, until none is left. Returns true
-- when there may be more.
create function drop_old_webhook_deliveries(p_tenant_id text, p_limit integer) returns boolean
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_end uuid;
  v_last uuid;
  v_dropped integer;
  v_left integer := p_limit;
  v_webhook record;
begin
  for v_webhook in select w.id, w.status from webhooks w where w.tenant_id = p_tenant_id loop
    v_end := case
      when v_webhook.status = 'deleted' then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
      else ordered_uuid(v_now - interval '30 days', false)
    end;
    select d.id into v_last
      from webhook_deliveries d
      where d.tenant_id = p_tenant_id and d.webhook_id = v_webhook.id and d.id < v_end
      order by d.id offset v_left - 1 limit 1;
    delete from webhook_deliveries d
      where d.tenant_id = p_tenant_id and d.webhook_id = v_webhook.id and d.id < v_end
        and d.id <= coalesce(v_last, v_end);
    get diagnostics v_dropped = row_count;
    v_left := v_left - v_dropped;
    if v_left <= 0 then
      return true;
    end if;
    if v_webhook.status = 'deleted' then
      delete from webhooks w where w.tenant_id = p_tenant_id and w.id = v_webhook.id;
    end if;
  end loop;
  update webhook_cursors c set cleaned_at = v_now where c.tenant_id = p_tenant_id;
  return false;
end
$$;

-- The turn of a tenant: enters the deliveries of new events, and leases due ones to the caller for p_lease, the longest
-- due first: at most p_limit, of those to failing webhooks at most p_failing_limit. A webhook has at most p_webhook_limit
-- under way, a failing one has one; p_flying and p_flying_counts are those under way with the caller. The last row has no
-- delivery: `next_at` is the time of the next turn, `is_at_once` says that it is now; `is_more`, that due ones are left.
create function claim_webhook_deliveries(
  p_tenant_id text, p_limit integer, p_webhook_limit integer, p_failing_limit integer, p_flying uuid[],
  p_flying_counts integer[], p_lease interval
)
returns table (
  webhook_id uuid, id uuid, url text, sealed_secrets text[], is_failing boolean, attempts integer, due_at timestamptz,
  event_id uuid, type text, subject text, "time" timestamptz, data text, actor_issuer text, actor_subject text,
  next_at timestamptz, is_at_once boolean, is_more boolean
)
language plpgsql
as $$
declare
  v_now timestamptz;
  v_next timestamptz;
  v_is_at_once boolean := false;
  v_is_more boolean := false;
  v_left integer := p_limit;
  v_left_failing integer := p_failing_limit;
  v_webhook_limit integer;
  v_webhook record;
  v_delivery record;
  v_event record;
  v_secrets text[];
  v_count integer;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform 1 from webhooks w where w.tenant_id = p_tenant_id limit 1;
  if not found then
    return query select null::uuid, null::uuid, null, null::text[], null::boolean, null::integer, null::timestamptz,
      null::uuid, null, null, null::timestamptz, null, null, null, clock_timestamp() + interval '1 hour', false, false;
    return;
  end if;
  perform 1 from webhooks w where w.tenant_id = p_tenant_id and w.status = 'active' limit 1;
  v_is_at_once := found and enter_webhook_deliveries(p_tenant_id);
  v_now := clock_timestamp();
  v_next := v_now + interval '60 seconds';
  perform 1 from webhook_cursors c where c.tenant_id = p_tenant_id and c.cleaned_at < v_now - interval '1 hour';
  if found and drop_old_webhook_deliveries(p_tenant_id, 1000) then
    v_is_at_once := true;
  end if;

  for v_webhook in
    select w.id, w.url, w.sealed_secrets as secrets, w.secret_ends as ends, w.failing_since is not null as failing
    from webhooks w
    cross join lateral (
      select min(d.next_attempt_at) as first from webhook_deliveries d
      where d.tenant_id = p_tenant_id and d.webhook_id = w.id and d.status = 'pending'
    ) due
    where w.tenant_id = p_tenant_id and w.status = 'active' and due.first is not null
    order by due.first
  loop
    v_webhook_limit := case when v_webhook.failing then 1 else p_webhook_limit end
      - coalesce(p_flying_counts[array_position(p_flying, v_webhook.id)], 0);
    v_webhook_limit := least(v_webhook_limit, v_left);
    if v_webhook.failing then
      v_webhook_limit := least(v_webhook_limit, v_left_failing);
    end if;
    v_count := 0;
    -- One more shows that more are due. What other processes have leased is passed over.
    for v_delivery in
      select d.id, d.attempts, d.next_attempt_at, d.leased_until, d.event_slot, d.event_position
      from webhook_deliveries d
      where d.tenant_id = p_tenant_id and d.webhook_id = v_webhook.id and d.status = 'pending'
      order by d.next_attempt_at limit 100
    loop
      if v_delivery.next_attempt_at > v_now then
        v_next := least(v_next, v_delivery.next_attempt_at);
        exit;
      end if;
      if v_delivery.leased_until > v_now then
        v_next := least(v_next, v_delivery.leased_until);
        continue;
      end if;
      if v_count >= v_webhook_limit then
        v_is_more := true;
        v_next := least(v_next, v_now + interval '1 second');
        exit;
      end if;
      -- Not where an attempt that outlived its lease has ended meanwhile.
      update webhook_deliveries d set leased_until = v_now + p_lease
        where d.tenant_id = p_tenant_id and d.webhook_id = v_webhook.id and d.id = v_delivery.id
          and d.status = 'pending';
      if not found then
        continue;
      end if;
      select l.id, l.type, l.subject, l.time, l.data::text as data, l.actor_issuer, l.actor_subject into v_event
        from event_log l
        where l.tenant_id = p_tenant_id and l.slot = v_delivery.event_slot and l.position = v_delivery.event_position;
      if not found then
        update webhook_deliveries d
          set status = 'failed', last_error = 'event-dropped', next_attempt_at = null, leased_until = null
          where d.tenant_id = p_tenant_id and d.webhook_id = v_webhook.id and d.id = v_delivery.id;
        continue;
      end if;
      v_next := least(v_next, v_now + p_lease);
      v_count := v_count + 1;
      v_secrets := array(
        select s.secret from unnest(v_webhook.secrets, v_webhook.ends) as s (secret, ends) where s.ends > v_now
      );
      return query select v_webhook.id, v_delivery.id, v_webhook.url, v_secrets, v_webhook.failing, v_delivery.attempts,
        v_delivery.next_attempt_at, v_event.id, v_event.type, v_event.subject, v_event.time, v_event.data,
        v_event.actor_issuer, v_event.actor_subject, null::timestamptz, null::boolean, null::boolean;
    end loop;
    v_left := v_left - v_count;
    if v_webhook.failing then
      v_left_failing := v_left_failing - v_count;
    end if;
  end loop;
  return query select null::uuid, null::uuid, null, null::text[], null::boolean, null::integer, null::timestamptz,
    null::uuid, null, null, null::timestamptz, null, null, null, case when v_is_at_once then v_now else v_next end,
    v_is_at_once, v_is_more;
end
$$;

-- Records an attempt. `p_retry_in` null: there is no further one. Returns why the webhook was disabled by it, else null.
create function end_webhook_attempt(
  p_tenant_id text, p_webhook_id uuid, p_id uuid, p_is_delivered boolean, p_is_gone boolean, p_status smallint,
  p_error text, p_retry_in interval
)
returns text
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_webhook record;
  v_reason text;
  v_status text;
  v_next timestamptz;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  v_status := case when p_is_delivered then 'delivered' when p_retry_in is null then 'failed' else 'pending' end;
  v_next := case when v_status = 'pending' then v_now + p_retry_in end;
  -- Another process may have delivered it, once the lease was over.
  update webhook_deliveries d
    set status = v_status, attempts = d.attempts + 1, last_status = p_status, last_error = p_error,
      next_attempt_at = v_next, leased_until = null
    where d.tenant_id = p_tenant_id and d.webhook_id = p_webhook_id and d.id = p_id
      and (p_is_delivered or d.status = 'pending');
  select w.status, w.failing_since into v_webhook
    from webhooks w where w.tenant_id = p_tenant_id and w.id = p_webhook_id;
  if p_is_delivered then
    if v_webhook.failing_since is not null then
      update webhooks w set failing_since = null where w.tenant_id = p_tenant_id and w.id = p_webhook_id;
    end if;
  elsif v_webhook.status = 'active' then
    v_reason := case
      when p_is_gone then 'gone'
      when v_webhook.failing_since < v_now - interval '5 days' then 'failing'
    end;
    if v_reason is not null then
      update webhooks w set status = 'disabled', disabled_reason = v_reason
        where w.tenant_id = p_tenant_id and w.id = p_webhook_id and w.status = 'active';
    elsif v_webhook.failing_since is null then
      update webhooks w set failing_since = v_now
        where w.tenant_id = p_tenant_id and w.id = p_webhook_id and w.failing_since is null;
    end if;
  end if;
  return v_reason;
end
$$;

-- Gives back a lease, as if there had been no attempt.
create function release_webhook_delivery(p_tenant_id text, p_webhook_id uuid, p_id uuid) returns void
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  update webhook_deliveries d set leased_until = null
    where d.tenant_id = p_tenant_id and d.webhook_id = p_webhook_id and d.id = p_id and d.status = 'pending';
end
$$;

-- These read indexes in their order, whatever the tables were like when a connection planned that.
do $$
declare
  v_function regprocedure;
  v_setting text;
begin
  foreach v_function in array array[
    'list_webhooks(text, timestamptz, uuid, integer)',
    'list_webhook_deliveries(text, uuid, uuid, integer)',
    'drop_old_webhook_deliveries(text, integer)',
    'claim_webhook_deliveries(text, integer, integer, integer, uuid[], integer[], interval)'
  ]::regprocedure[] loop
    foreach v_setting in array array['enable_seqscan', 'enable_bitmapscan', 'enable_sort'] loop
      execute format('alter function %s set %I = off', v_function, v_setting);
    end loop;
  end loop;
end
$$;

grant select, insert, update, delete on webhooks to meridian_accounts;
grant select, insert, update, delete on webhook_deliveries to meridian_accounts;
grant select, insert, update on webhook_cursors to meridian_accounts;
grant select, insert, update on webhook_queue to meridian_accounts;
