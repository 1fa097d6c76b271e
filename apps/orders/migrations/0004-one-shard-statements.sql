-- The same from statements that each name their tenant and touch one shard, as a distributed PostgreSQL
-- (docs/scale.md) runs them: no insert … select, no volatile function in a conflict.

create or replace function claim_idempotency_key(
  p_tenant_id text, p_caller text, p_method text, p_path text, p_key text, p_fingerprint bytea, p_patience_ms integer
)
returns table (is_new boolean, is_same_body boolean, status integer, headers jsonb, body text)
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_expired timestamptz := v_now - interval '24 hours';
begin
  perform set_config('lock_timeout', p_patience_ms || 'ms', true);
  insert into idempotency_keys as k (tenant_id, caller, method, path, key, fingerprint)
  values (p_tenant_id, p_caller, p_method, p_path, p_key, p_fingerprint)
  on conflict (tenant_id, caller, method, path, key) do update
    set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, created_at = v_now
    where k.created_at < v_expired;
  is_new := found;
  perform set_config('lock_timeout', '0', true);

  if is_new then
    -- Old keys go a few at a time, so that no job has to.
    delete from idempotency_keys k
    where k.tenant_id = p_tenant_id and (k.tenant_id, k.caller, k.method, k.path, k.key) in (
      select o.tenant_id, o.caller, o.method, o.path, o.key
      from idempotency_keys o
      where o.tenant_id = p_tenant_id and o.created_at < v_expired
      limit 10
      for update skip locked
    );
    return next;
  else
    return query
      select false, k.fingerprint = p_fingerprint, k.status, k.headers, k.body
      from idempotency_keys k
      where k.tenant_id = p_tenant_id and k.caller = p_caller and k.method = p_method and k.path = p_path
        and k.key = p_key;
  end if;
end
$$;

-- Adds orders with their line items, and returns those that it added; orders that exist stay as they are.
create function add_orders(p_tenant_id text, p_orders jsonb)
returns table (id uuid, status text, customer_id uuid, created_at timestamptz)
language plpgsql
as $$
declare
  v_order record;
  v_item record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  for v_order in
    select * from jsonb_to_recordset(p_orders)
      as (id uuid, status text, "customerId" uuid, "createdAt" timestamptz, "lineItems" jsonb)
  loop
    insert into orders as o (tenant_id, id, status, customer_id, created_at)
      values (
        p_tenant_id, v_order.id, coalesce(v_order.status, 'placed'), v_order."customerId",
        coalesce(v_order."createdAt", clock_timestamp())
      )
      on conflict do nothing
      returning o.id, o.status, o.customer_id, o.created_at
      into add_orders.id, add_orders.status, add_orders.customer_id, add_orders.created_at;
    if found then
      for v_item in
        select * from rows from (
          jsonb_to_recordset(v_order."lineItems") as ("productId" uuid, quantity integer, "unitPriceMinorUnits" integer)
        ) with ordinality as item (product_id, quantity, unit_price_minor_units, position)
      loop
        insert into line_items (tenant_id, order_id, position, product_id, quantity, unit_price_minor_units)
          values (
            p_tenant_id, v_order.id, v_item.position, v_item.product_id, v_item.quantity,
            v_item.unit_price_minor_units
          );
      end loop;
      return next;
    end if;
  end loop;
end
$$;

create or replace function renew_store_epoch() returns uuid
language plpgsql
as $$
declare
  v_epoch uuid := gen_random_uuid();
begin
  update store_epoch set epoch = v_epoch;
  return v_epoch;
end
$$;
