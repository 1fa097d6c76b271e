create table notes (
  tenant_id text not null,
  id text not null,
  body text not null default '',
  primary key (tenant_id, id)
);

alter table notes enable row level security;
alter table notes force row level security;

create policy notes_of_the_tenant on notes
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert, update, delete on notes to meridian_notes;
