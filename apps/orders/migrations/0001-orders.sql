-- Orders of all tenants. The service's role owns nothing here: it reads and writes through forced row-level security,
-- so a statement that forgets its tenant finds no row. Products belong to another service: here they are identifiers.

create table customers (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  primary key (tenant_id, id)
);

create table orders (
  tenant_id text not null,
  id uuid not null,
  status text not null default 'placed' check (status in ('placed', 'paid', 'shipped', 'delivered', 'cancelled')),
  customer_id uuid,
  -- Never leaves the service. Each transition raises it by exactly 1.
  revision bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers (tenant_id, id)
);

create index orders_newest_first on orders (tenant_id, created_at desc, id desc);

create table line_items (
  tenant_id text not null,
  order_id uuid not null,
  -- The item's place in its order, from 1.
  position smallint not null,
  product_id uuid not null,
  quantity integer not null check (quantity between 1 and 1000),
  unit_price_minor_units integer not null check (unit_price_minor_units >= 0),
  primary key (tenant_id, order_id, position),
  unique (tenant_id, order_id, product_id),
  foreign key (tenant_id, order_id) references orders (tenant_id, id)
);

-- Identifiers of orders sort by time: the latest orders of a product are at one end of its range.
create index line_items_of_a_product on line_items (tenant_id, product_id, order_id);

-- What is kept of an order's cancellation. The key makes a second one impossible.
create table cancellations (
  tenant_id text not null,
  order_id uuid not null,
  id uuid not null,
  reason text not null,
  -- Who cancelled: a token's issuer and `sub`.
  actor_issuer text not null,
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, order_id),
  unique (tenant_id, id),
  foreign key (tenant_id, order_id) references orders (tenant_id, id)
);

alter table customers enable row level security;
alter table customers force row level security;
alter table orders enable row level security;
alter table orders force row level security;
alter table line_items enable row level security;
alter table line_items force row level security;
alter table cancellations enable row level security;
alter table cancellations force row level security;

create policy customers_of_the_tenant on customers
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));
create policy orders_of_the_tenant on orders
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));
create policy line_items_of_the_tenant on line_items
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));
create policy cancellations_of_the_tenant on cancellations
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert on customers, line_items, cancellations to meridian_orders;
grant select, insert, update on orders to meridian_orders;
