-- The events of a service. Its own migration includes this file, which never changes after it has been applied: a change
-- is another file here, and a migration of each service that includes it.
--
-- A write puts its event into `event_outbox`, in its own transaction. A reader moves what is
-- committed into `event_log`, one reader of a tenant at a time, and numbers it there: a position is given after the
-- commit, so a reader that goes on from its last position misses nothing, whatever the order of commits was, and writers
-- of a tenant never wait for each other.

create table event_outbox (
  tenant_id text not null,
  id bigint generated always as identity,
  type text not null,
  subject text not null,
  -- Later than the subject's event before.
  time timestamptz not null,
  -- Of the events of one transaction, in their order.
  ordinal smallint not null default 0,
  data json not null,
  actor_issuer text,
  actor_subject text,
  primary key (tenant_id, id)
);

-- Ten days of the log are a partition, of a ring of five: the oldest is truncated before it is used again, which locks no
-- other.
create table event_log (
  tenant_id text not null,
  -- The ten days in which the event came into the log: `period_of`, modulo 5.
  slot smallint not null,
  -- 1, 2, 3 and so on for each tenant.
  position bigint not null,
  id uuid not null,
  type text not null,
  subject text not null,
  time timestamptz not null,
  data json not null,
  actor_issuer text,
  actor_subject text,
  primary key (tenant_id, slot, position)
) partition by list (slot);

do $$
begin
  for slot in 0..4 loop
    execute format('create table event_log_%s partition of event_log for values in (%s)', slot, slot);
  end loop;
end
$$;

-- The last event of each tenant in the log. Its period never goes back, whatever the clock does.
create table event_heads (
  tenant_id text primary key,
  position bigint not null default 0,
  period integer not null default 0
);

alter table event_outbox enable row level security;
alter table event_outbox force row level security;
create policy event_outbox_of_the_tenant on event_outbox
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

alter table event_log enable row level security;
alter table event_log force row level security;
create policy event_log_of_the_tenant on event_log
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

alter table event_heads enable row level security;
alter table event_heads force row level security;
create policy event_heads_of_the_tenant on event_heads
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

-- Periods of ten days since 1970, in UTC.
create function period_of(p_time timestamptz) returns integer
language sql immutable
as $$ select floor(extract(epoch from p_time) / 864000)::integer $$;

-- A time as representations have it.
create function utc_text(p_time timestamptz) returns text
language sql immutable
as $$ select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- A UUIDv7 (RFC 9562) of this time.
create function uuid_at(p_time timestamptz) returns uuid
language sql volatile
as $$
  select overlay(
    overlay(replace(gen_random_uuid()::text, '-', '')
      placing lpad(to_hex(floor(extract(epoch from p_time) * 1000)::bigint), 12, '0') from 1 for 12)
    placing '7' from 13 for 1)::uuid
$$;

create function tell(
  p_tenant_id text, p_type text, p_subject text, p_time timestamptz, p_data json, p_issuer text, p_subject_of_token text,
  p_ordinal integer default 0
) returns void
language plpgsql
as $$
begin
  insert into event_outbox (tenant_id, type, subject, time, ordinal, data, actor_issuer, actor_subject)
    values (p_tenant_id, p_type, p_subject, p_time, p_ordinal, p_data, p_issuer, p_subject_of_token);
end
$$;

-- Moves at most p_limit committed events of a tenant into the log.
create function log_events(p_tenant_id text, p_limit integer) returns void
language plpgsql
as $$
declare
  v_position bigint;
  v_period integer;
  v_event record;
  v_id uuid;
  v_moved bigint[] := '{}';
begin
  perform 1 from event_outbox o where o.tenant_id = p_tenant_id limit 1;
  if not found then
    return;
  end if;
  insert into event_heads (tenant_id) values (p_tenant_id) on conflict do nothing;
  -- The next statement sees all that is committed by then: nothing is numbered that a reader could have gone past.
  select h.position, h.period into v_position, v_period from event_heads h where h.tenant_id = p_tenant_id for update;
  v_period := greatest(v_period, period_of(clock_timestamp()));
  for v_event in
    select * from event_outbox o where o.tenant_id = p_tenant_id order by o.time, o.ordinal, o.id limit p_limit
  loop
    v_position := v_position + 1;
    v_id := uuid_at(v_event.time);
    insert into event_log
        (tenant_id, slot, position, id, type, subject, time, data, actor_issuer, actor_subject)
      values
        (p_tenant_id, mod(v_period, 5), v_position, v_id, v_event.type, v_event.subject, v_event.time, v_event.data,
          v_event.actor_issuer, v_event.actor_subject);
    v_moved := v_moved || v_event.id;
  end loop;
  delete from event_outbox o where o.tenant_id = p_tenant_id and o.id = any (v_moved);
  update event_heads h set position = v_position, period = v_period where h.tenant_id = p_tenant_id;
end
$$;

-- At most p_limit events after a position that was reached in a period, oldest first, of a type or a subject where one is
-- given. The last row is the place to go on from: it has no event.
create function list_events(
  p_tenant_id text, p_position bigint, p_period integer, p_limit integer, p_type text, p_subject text
)
returns table (
  log_position bigint, period integer, id uuid, type text, subject text, "time" timestamptz, data text, actor_issuer text,
  actor_subject text
)
language plpgsql
as $$
declare
  v_newest integer;
  v_period integer := p_period;
  v_position bigint := p_position;
  v_left integer := p_limit;
  -- Positions that a filter may pass over in one call.
  v_scan integer := 10000;
  v_event record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform log_events(p_tenant_id, 1000);
  select h.period into v_newest from event_heads h where h.tenant_id = p_tenant_id;
  v_newest := greatest(v_newest, period_of(clock_timestamp()));
  while v_period <= v_newest and v_left > 0 and v_scan > 0 loop
    for v_event in
      select l.* from event_log l
      where l.tenant_id = p_tenant_id and l.slot = mod(v_period, 5) and l.position > v_position
      order by l.position limit v_scan
    loop
      v_position := v_event.position;
      v_scan := v_scan - 1;
      if (p_type is null or v_event.type = p_type) and (p_subject is null or v_event.subject = p_subject) then
        v_left := v_left - 1;
        return query select v_event.position, v_period, v_event.id, v_event.type, v_event.subject, v_event.time,
          v_event.data::text, v_event.actor_issuer, v_event.actor_subject;
        exit when v_left = 0;
      end if;
    end loop;
    exit when v_left = 0 or v_scan = 0;
    v_period := v_period + 1;
  end loop;
  return query select v_position, least(v_period, v_newest), null::uuid, null, null, null::timestamptz, null, null, null;
end
$$;

-- Empties the partition of the next ten days, whose events are more than 30 days old. Run each day, by any process, as
-- often as it likes.
create function drop_old_events() returns void
language plpgsql
as $$
begin
  execute format('truncate event_log_%s', mod(period_of(clock_timestamp()) + 1, 5));
end
$$;

do $$
declare
  v_role text := current_setting('meridian.service_role');
begin
  execute format('grant select, insert, delete on event_outbox to %I', v_role);
  execute format('grant select, insert on event_log to %I', v_role);
  execute format('grant select, insert, update on event_heads to %I', v_role);
  for slot in 0..4 loop
    execute format('grant truncate on event_log_%s to %I', slot, v_role);
  end loop;
end
$$;
