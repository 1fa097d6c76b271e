-- Products say that their price has changed: each change writes its event.
\ir ../../../packages/services/events/migrations/0001-event-log.sql

-- The time of the price's last change: each is later than the one before, even if the clock went back.
alter table products add column price_changed_at timestamptz;

-- Sets the price of a product, and returns the product; no row where there is none. The same price again is no change.
create function set_product_price(
  p_tenant_id text, p_id uuid, p_price_minor_units integer, p_issuer text default null, p_subject text default null
)
returns table (name text, price_minor_units integer, weight_grams integer)
language plpgsql
as $$
declare
  v_product record;
  v_at timestamptz;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  select p.name, p.price_minor_units as price, p.weight_grams, p.price_changed_at into v_product
    from products p where p.tenant_id = p_tenant_id and p.id = p_id for update;
  if not found then
    return;
  end if;
  if v_product.price <> p_price_minor_units then
    v_at := greatest(clock_timestamp(), v_product.price_changed_at + interval '1 microsecond');
    update products p
      set price_minor_units = p_price_minor_units, price_changed_at = v_at
      where p.tenant_id = p_tenant_id and p.id = p_id;
    perform tell(
      p_tenant_id, 'product.price-changed', '/products/' || p_id, v_at,
      json_build_object('id', p_id, 'name', v_product.name, 'price_minor_units', p_price_minor_units),
      p_issuer, p_subject
    );
  end if;
  return query select v_product.name, p_price_minor_units, v_product.weight_grams;
end
$$;
