-- Orders say what happens to them: each change writes its event.
\ir ../../../packages/services/events/migrations/0001-event-log.sql

-- The time of an order's last transition: each is later than the one before, even if the clock went back.
alter table orders add column changed_at timestamptz;

-- An order as GET /orders/:id shows it.
create function order_json(p_id uuid, p_status text, p_customer_id uuid, p_created_at timestamptz) returns json
language sql stable
as $$
  select json_build_object(
    'id', p_id, 'status', p_status, 'customer_id', p_customer_id, 'created_at', utc_text(p_created_at)
  )
$$;

-- Adds orders with their line items, and returns those that it added; orders that exist stay as they are.
drop function add_orders(text, jsonb);
create function add_orders(
  p_tenant_id text, p_orders jsonb, p_issuer text default null, p_subject text default null
)
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
      perform tell(
        p_tenant_id, 'order.placed', '/orders/' || add_orders.id, add_orders.created_at,
        order_json(add_orders.id, add_orders.status, add_orders.customer_id, add_orders.created_at),
        p_issuer, p_subject
      );
      return next;
    end if;
  end loop;
end
$$;

-- Moves an order to a status. The caller's transaction has locked its row, and knows that the status allows it.
create function move_order(p_tenant_id text, p_id uuid, p_status text, p_issuer text, p_subject text) returns void
language plpgsql
as $$
declare
  v_order record;
  v_at timestamptz;
begin
  select o.customer_id, o.created_at, o.changed_at into v_order
    from orders o where o.tenant_id = p_tenant_id and o.id = p_id;
  v_at := greatest(clock_timestamp(), coalesce(v_order.changed_at, v_order.created_at) + interval '1 microsecond');
  update orders o
    set status = p_status, revision = o.revision + 1, changed_at = v_at
    where o.tenant_id = p_tenant_id and o.id = p_id;
  perform tell(
    p_tenant_id, case p_status when 'cancelled' then 'order.cancelled' else 'order.status-changed' end,
    '/orders/' || p_id, v_at, order_json(p_id, p_status, v_order.customer_id, v_order.created_at), p_issuer, p_subject
  );
end
$$;
