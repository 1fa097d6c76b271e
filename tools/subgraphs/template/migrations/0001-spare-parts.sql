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

\ir ../../../../packages/services/events/migrations/0001-event-log.sql
\ir ../../../../packages/services/events/migrations/0002-outbox-in-slots.sql

-- Adds spare parts, each with its event; those that exist stay as they are.
create function add_spare_parts(p_tenant_id text, p_spare_parts jsonb, p_issuer text, p_subject text)
returns void
language plpgsql
as $$
declare
  v_added spare_parts;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  for v_added in
    insert into spare_parts (
      tenant_id,
      id,
      -- <entity>
      product_id,
      -- </entity>
      name
    )
    select
      p_tenant_id,
      id,
      -- <entity>
      "productId",
      -- </entity>
      name
    from jsonb_to_recordset(p_spare_parts) as given (
      id uuid,
      -- <entity>
      "productId" uuid,
      -- </entity>
      name text
    )
    on conflict do nothing
    returning *
  loop
    perform tell(
      p_tenant_id, 'spare-part.added', '/spare-parts/' || v_added.id, clock_timestamp(),
      json_build_object(
        'id', v_added.id,
        -- <entity>
        'productId', v_added.product_id,
        -- </entity>
        'name', v_added.name
      ),
      p_issuer, p_subject
    );
  end loop;
end
$$;
