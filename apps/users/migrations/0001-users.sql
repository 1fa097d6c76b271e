-- Users of all tenants. The service's role owns nothing here: it reads and writes through forced row-level security,
-- so a statement that forgets its tenant finds no row. A user's id follows from the identity that their tokens state.

create table users (
  tenant_id text not null,
  id uuid not null,
  name text not null,
  primary key (tenant_id, id)
);

alter table users enable row level security;
alter table users force row level security;

create policy users_of_the_tenant on users
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert on users to meridian_users;
