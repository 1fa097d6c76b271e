-- Which fields the operations of clients use, by day: what has to be known before a field is removed. Of no tenant: no row
-- says who asked, or for what data.

create table operations (
  -- SHA-256 over the name and the fields: an operation is what it asks for, however it is written.
  id bytea primary key,
  name text collate "C" not null
);

create table operation_fields (
  operation_id bytea not null references operations on delete cascade,
  -- Type.field
  field text collate "C" not null,
  primary key (operation_id, field)
);

create index operation_fields_by_field on operation_fields (field);

create table operation_usage (
  day date not null,
  operation_id bytea not null references operations on delete cascade,
  -- Empty where the client does not say.
  client_name text collate "C" not null,
  client_version text collate "C" not null,
  requests bigint not null check (requests > 0),
  primary key (day, operation_id, client_name, client_version)
);

-- A gateway that does not know whether a batch was written sends it again, under the same id.
create table recorded_batches (
  id uuid primary key,
  recorded_at timestamptz not null default clock_timestamp()
);

create index recorded_batches_by_age on recorded_batches (recorded_at);

-- Adds a batch of counts, once. Rows are taken in the order of their keys, so that gateways do not lock each other out.
--
-- p_operations: [{"id": "<hex>", "name": "…", "fields": ["Type.field", …]}, …]
-- p_usage: [{"day": "2026-01-31", "id": "<hex>", "client_name": "…", "client_version": "…", "requests": 1}, …]
create function record_usage(p_batch uuid, p_operations jsonb, p_usage jsonb) returns void
language plpgsql
as $$
begin
  insert into recorded_batches (id) values (p_batch) on conflict do nothing;
  if not found then
    return;
  end if;

  insert into operations (id, name)
    select decode(o.id, 'hex'), o.name
    from jsonb_to_recordset(p_operations) as o (id text, name text)
    order by 1
    on conflict do nothing;

  insert into operation_fields (operation_id, field)
    select decode(o.id, 'hex'), f.field
    from jsonb_to_recordset(p_operations) as o (id text, fields jsonb),
      jsonb_array_elements_text(o.fields) as f (field)
    order by 1, 2
    on conflict do nothing;

  insert into operation_usage (day, operation_id, client_name, client_version, requests)
    select u.day, decode(u.id, 'hex'), u.client_name, u.client_version, u.requests
    from jsonb_to_recordset(p_usage)
      as u (day date, id text, client_name text, client_version text, requests bigint)
    order by 1, 2, 3, 4
    on conflict (day, operation_id, client_name, client_version)
      do update set requests = operation_usage.requests + excluded.requests;
end
$$;

-- Forgets what is older than the days that are kept, and operations that nobody has sent since.
create function forget_usage(p_kept_days integer) returns void
language sql
as $$
  delete from operation_usage where day < current_date - p_kept_days;
  delete from recorded_batches where recorded_at < clock_timestamp() - interval '1 day';
  delete from operations o
    where not exists (select from operation_usage u where u.operation_id = o.id);
$$;

revoke all on function record_usage(uuid, jsonb, jsonb), forget_usage(integer) from public;
grant execute on function record_usage(uuid, jsonb, jsonb), forget_usage(integer) to meridian_gateway;
grant select, insert on operations, operation_fields, operation_usage, recorded_batches to meridian_gateway;
grant update on operation_usage to meridian_gateway;
grant delete on operations, operation_usage, recorded_batches to meridian_gateway;
