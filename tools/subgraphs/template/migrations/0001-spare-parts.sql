-- Spare parts of all tenants. The service's role owns nothing here: it reads and writes through forced row-level security,
-- so a statement that forgets its tenant finds no row.

create table spare_parts (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  -- <entity>
  product_id uuid not null,
  -- </entity>
  primary key (tenant_id, id)
);

create index spare_parts_by_name on spare_parts (tenant_id, name, id);
-- <entity>
create index spare_parts_of_a_product on spare_parts (tenant_id, product_id, name, id);
-- </entity>

alter table spare_parts enable row level security;
alter table spare_parts force row level security;

create policy spare_parts_of_the_tenant on spare_parts
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert on spare_parts to meridian_template;
