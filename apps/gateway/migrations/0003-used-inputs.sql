-- The input objects, input fields and enum values that clients send: coordinates of the schema (Input.field, Enum.VALUE), never values.

-- Null where some of the requests were counted by a gateway of an earlier release, which did not record them.
alter table operation_usage add column inputs text[];

create function join_inputs(p_some text[], p_more text[]) returns text[]
language sql
immutable
as $$
  select case
    when p_some is null or p_more is null then null
    when p_more <@ p_some then p_some
    else array(select i.input from unnest(p_some || p_more) as i (input) group by i.input order by i.input)
  end;
$$;

create aggregate sum_inputs(text[]) (sfunc = join_inputs, stype = text[], initcond = '{}');

-- p_usage: as before, with "inputs": ["Input", "Input.field", "Enum.VALUE"]. A gateway of the release before this one sends none.
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

  insert into operation_usage
    (day, operation_id, client_name, client_version, requests, failed, cost, durations, inputs)
    select u.day, decode(u.id, 'hex'), u.client_name, u.client_version, u.requests,
      coalesce(u.failed, 0), coalesce(u.cost, 0), coalesce(u.durations, '{}'), u.inputs
    from jsonb_to_recordset(p_usage) as u (
      day date, id text, client_name text, client_version text, requests bigint,
      failed bigint, cost double precision, durations bigint[], inputs text[]
    )
    order by 1, 2, 3, 4
    on conflict (day, operation_id, client_name, client_version) do update set
      requests = operation_usage.requests + excluded.requests,
      failed = operation_usage.failed + excluded.failed,
      cost = operation_usage.cost + excluded.cost,
      durations = add_counts(operation_usage.durations, excluded.durations),
      inputs = join_inputs(operation_usage.inputs, excluded.inputs);
end
$$;
