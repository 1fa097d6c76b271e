-- One random value for this store. It is a part of every entity tag: after a restore from a backup the revisions run
-- anew, and a tag from before must not match. Whoever restores runs `select renew_store_epoch()` as the owner.
create table store_epoch (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid()
);

insert into store_epoch default values;

create function renew_store_epoch() returns uuid
language sql
as $$
  update store_epoch set epoch = gen_random_uuid() returning epoch;
$$;

revoke all on function renew_store_epoch() from public;

grant select on store_epoch to meridian_orders;
