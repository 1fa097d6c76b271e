-- Products of all tenants. The service's role owns nothing here: it reads and writes through forced row-level
-- security, so a statement that forgets its tenant finds no row.

create table products (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  price_minor_units integer not null check (price_minor_units >= 0),
  units_sold integer not null default 0 check (units_sold >= 0),
  primary key (tenant_id, id)
);

create index products_best_selling_first on products (tenant_id, units_sold desc, id);

alter table products enable row level security;
alter table products force row level security;

create policy products_of_the_tenant on products
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert, update on products to meridian_products;
