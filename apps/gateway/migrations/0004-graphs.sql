-- The graph that an operation is of, where one gateway has several. Its id differs by graph too.
alter table operations add column graph text collate "C" not null default '';

-- p_operations: as before, with "graph". A gateway of the release before this one sends none.
create or replace function record_usage(p_batch uuid, p_operations jsonb, p_usage jsonb) returns void
language plpgsql
as $$
begin
  insert into recorded_batches (id) values (p_batch) on conflict do nothing;
  if not found then
    return;
  end if;

  insert into operations (id, name, text_key, graph)
    select decode(o.id, 'hex'), o.name, o.text_key, coalesce(o.graph, '')
    from jsonb_to_recordset(p_operations) as o (id text, name text, text_key text, graph text)
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
