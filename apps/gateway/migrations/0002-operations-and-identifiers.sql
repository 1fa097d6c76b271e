-- What operations cost and how they end, and the texts that identifiers stand for.

-- Of an operation of the manifest: SHA-256 of its text, in base64url, so that the use of one identifier can be told from that of another.
alter table operations add column text_key text collate "C";

create index operations_by_text on operations (text_key) where text_key is not null;

alter table operation_usage
  -- Requests that ended with errors, beside data or without.
  add column failed bigint not null default 0 check (failed >= 0),
  -- The sum of the estimated costs.
  add column cost double precision not null default 0,
  -- How many requests took so long, by bucket: apps/gateway/src/usage/durations.ts. Those of before this migration are in none.
  add column durations bigint[] not null default '{}';

create function add_counts(p_some bigint[], p_more bigint[]) returns bigint[]
language sql
immutable
as $$
  select coalesce(array_agg(coalesce(c.one, 0) + coalesce(c.other, 0) order by c.bucket), '{}')
  from unnest(p_some, p_more) with ordinality as c (one, other, bucket);
$$;

create aggregate sum_counts(bigint[]) (sfunc = add_counts, stype = bigint[], initcond = '{}');

-- The text that each identifier of a manifest stands for. It is kept across restarts, and for all replicas: the first one stays.
create table registered_operations (
  -- SHA-256 of the identifier and the name of the only client that it is for, in base64url.
  key text collate "C" primary key,
  id text not null,
  client_name text,
  text_key text collate "C" not null,
  text text not null,
  -- The last day on which a gateway had it in its manifest.
  listed_on date not null default current_date
);

-- p_operations: [{"id": "<hex>", "name": "…", "fields": ["Type.field", …], "text_key": "…"}, …]
-- p_usage: [{"day": "2026-01-31", "id": "<hex>", "client_name": "…", "client_version": "…", "requests": 1, "failed": 0, "cost": 1.5,
--   "durations": [0, 1]}, …]
--
-- A gateway of the release before this one sends no `text_key` and nothing after `requests`.
create or replace function record_usage(p_batch uuid, p_operations jsonb, p_usage jsonb) returns void
language plpgsql
as $$
begin
  insert into recorded_batches (id) values (p_batch) on conflict do nothing;
  if not found then
    return;
  end if;

  insert into operations (id, name, text_key)
    select decode(o.id, 'hex'), o.name, o.text_key
    from jsonb_to_recordset(p_operations) as o (id text, name text, text_key text)
    order by 1
    on conflict do nothing;

  insert into operation_fields (operation_id, field)
    select decode(o.id, 'hex'), f.field
    from jsonb_to_recordset(p_operations) as o (id text, fields jsonb),
      jsonb_array_elements_text(o.fields) as f (field)
    order by 1, 2
    on conflict do nothing;

  insert into operation_usage (day, operation_id, client_name, client_version, requests, failed, cost, durations)
    select u.day, decode(u.id, 'hex'), u.client_name, u.client_version, u.requests,
      coalesce(u.failed, 0), coalesce(u.cost, 0), coalesce(u.durations, '{}')
    from jsonb_to_recordset(p_usage) as u (
      day date, id text, client_name text, client_version text, requests bigint,
      failed bigint, cost double precision, durations bigint[]
    )
    order by 1, 2, 3, 4
    on conflict (day, operation_id, client_name, client_version) do update set
      requests = operation_usage.requests + excluded.requests,
      failed = operation_usage.failed + excluded.failed,
      cost = operation_usage.cost + excluded.cost,
      durations = add_counts(operation_usage.durations, excluded.durations);
end
$$;

create or replace function forget_usage(p_kept_days integer) returns void
language sql
as $$
  delete from operation_usage where day < current_date - p_kept_days;
  delete from recorded_batches where recorded_at < clock_timestamp() - interval '1 day';
  delete from operations o
    where not exists (select from operation_usage u where u.operation_id = o.id);
  delete from registered_operations where listed_on < current_date - p_kept_days;
$$;

grant select, insert, delete on registered_operations to meridian_gateway;
grant update (listed_on) on registered_operations to meridian_gateway;
