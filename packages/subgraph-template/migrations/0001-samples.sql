-- Samples of all tenants. The service's role owns nothing here: it reads and writes through forced row-level security,
-- so a statement that forgets its tenant finds no row.

create table samples (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  -- <entity>
  product_id uuid not null,
  -- </entity>
  primary key (tenant_id, id)
);

create index samples_by_name on samples (tenant_id, name, id);
-- <entity>
create index samples_of_a_product on samples (tenant_id, product_id, name, id);
-- </entity>

alter table samples enable row level security;
alter table samples force row level security;

create policy samples_of_the_tenant on samples
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert on samples to meridian_template;
