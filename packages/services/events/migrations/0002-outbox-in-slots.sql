-- The outbox is a ring of partitions, as the log is: what no reader has moved into the log in 30 days goes with its
-- partition. A page of a long outbox is a range of its index.

-- Periods of ten days since 1970, in UTC.
create or replace function period_of(p_time timestamptz) returns integer
language sql immutable
as $$ select floor(date_part('epoch', p_time) / 864000)::integer $$;

alter table event_outbox rename to event_outbox_before;
alter table event_outbox_before no force row level security;

create table event_outbox (
  tenant_id text not null,
  -- The ten days in which the event was written: `period_of`, modulo 5.
  slot smallint not null default mod(period_of(clock_timestamp()), 5),
  -- Later than the subject's event before.
  time timestamptz not null,
  -- Of the events of one transaction, in their order.
  ordinal smallint not null default 0,
  id bigint generated always as identity,
  type text not null,
  subject text not null,
  data json not null,
  actor_issuer text,
  actor_subject text,
  -- In the order of the log, which takes them from the front. Citus renames no constraint, so the name is another one.
  constraint event_outbox_in_order primary key (tenant_id, time, ordinal, id, slot)
) partition by list (slot);

do $$
declare
  v_role text := current_setting('meridian.service_role');
begin
  execute format('grant select, insert, delete on event_outbox to %I', v_role);
  for slot in 0..4 loop
    -- Rows are deleted soon after they were written: vacuumed while they are few, the front of the index stays short.
    execute format(
      'create table event_outbox_%s partition of event_outbox for values in (%s)
         with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0)',
      slot, slot
    );
    execute format('grant truncate on event_outbox_%s to %I', slot, v_role);
  end loop;
end
$$;

insert into event_outbox (tenant_id, time, ordinal, type, subject, data, actor_issuer, actor_subject)
  select tenant_id, time, ordinal, type, subject, data, actor_issuer, actor_subject from event_outbox_before order by id;
drop table event_outbox_before;

alter table event_outbox enable row level security;
alter table event_outbox force row level security;
create policy event_outbox_of_the_tenant on event_outbox
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

create or replace function tell(
  p_tenant_id text, p_type text, p_subject text, p_time timestamptz, p_data json, p_issuer text, p_subject_of_token text,
  p_ordinal integer default 0
) returns void
language plpgsql
as $$
declare
  -- Not of the time of an expiry, which may be long ago.
  v_slot integer := mod(period_of(greatest(p_time, clock_timestamp())), 5);
begin
  insert into event_outbox (tenant_id, slot, time, ordinal, type, subject, data, actor_issuer, actor_subject)
    values (p_tenant_id, v_slot, p_time, p_ordinal, p_type, p_subject, p_data, p_issuer, p_subject_of_token);
end
$$;

-- Moves at most p_limit committed events of a tenant into the log. It reads its indexes in their order whatever the tables
-- were like when a connection planned that: an outbox is often empty then, and a scan of all of it would look best.
create or replace function log_events(p_tenant_id text, p_limit integer) returns void
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
  v_position bigint;
  v_period integer;
  v_event record;
  v_first timestamptz;
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
    insert into event_log
        (tenant_id, slot, position, id, type, subject, time, data, actor_issuer, actor_subject)
      values
        (p_tenant_id, mod(v_period, 5), v_position, uuid_at(v_event.time), v_event.type, v_event.subject, v_event.time,
          v_event.data, v_event.actor_issuer, v_event.actor_subject);
    v_first := coalesce(v_first, v_event.time);
    v_moved := v_moved || v_event.id;
  end loop;
  delete from event_outbox o
    where o.tenant_id = p_tenant_id and o.time between v_first and v_event.time and o.id = any (v_moved);
  update event_heads h set position = v_position, period = v_period where h.tenant_id = p_tenant_id;
end
$$;

alter function list_events(text, bigint, integer, integer, text, text) set enable_seqscan = off;
alter function list_events(text, bigint, integer, integer, text, text) set enable_bitmapscan = off;
alter function list_events(text, bigint, integer, integer, text, text) set enable_sort = off;

-- Empties the partitions of the next ten days, whose events are more than 30 days old, read or not. Run each day, by any
-- process, as often as it likes. Gives up rather than have readers wait for it.
create or replace function drop_old_events() returns void
language plpgsql
set lock_timeout = '1s'
as $$
declare
  v_slot integer := mod(period_of(clock_timestamp()) + 1, 5);
begin
  execute format('truncate event_log_%s', v_slot);
  execute format('truncate event_outbox_%s', v_slot);
end
$$;
