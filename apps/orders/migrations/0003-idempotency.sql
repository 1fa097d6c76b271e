-- The answers of requests with an Idempotency-Key, kept for 24 hours. packages/idempotency calls the two functions.

create table idempotency_keys (
  tenant_id text not null,
  -- Issuer and subject of the token.
  caller text not null,
  method text not null,
  path text not null,
  key text not null,
  -- SHA-256 of the body.
  fingerprint bytea not null,
  -- The answer; null only within the transaction that makes it.
  status integer,
  headers jsonb,
  body text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, caller, method, path, key)
);

create index idempotency_keys_oldest_first on idempotency_keys (tenant_id, created_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy idempotency_keys_of_the_tenant on idempotency_keys
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

-- Claims a key for the running transaction, or answers what it was used for. While another transaction holds it, this
-- waits for p_patience_ms, then fails with lock_not_available.
create function claim_idempotency_key(
  p_tenant_id text, p_caller text, p_method text, p_path text, p_key text, p_fingerprint bytea, p_patience_ms integer
)
returns table (is_new boolean, is_same_body boolean, status integer, headers jsonb, body text)
language plpgsql
as $$
begin
  perform set_config('lock_timeout', p_patience_ms || 'ms', true);
  insert into idempotency_keys as k (tenant_id, caller, method, path, key, fingerprint)
  values (p_tenant_id, p_caller, p_method, p_path, p_key, p_fingerprint)
  on conflict (tenant_id, caller, method, path, key) do update
    set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, created_at = clock_timestamp()
    where k.created_at < clock_timestamp() - interval '24 hours';
  is_new := found;
  perform set_config('lock_timeout', '0', true);

  if is_new then
    -- Old keys go a few at a time, so that no job has to.
    delete from idempotency_keys k
    where (k.tenant_id, k.caller, k.method, k.path, k.key) in (
      select o.tenant_id, o.caller, o.method, o.path, o.key
      from idempotency_keys o
      where o.tenant_id = p_tenant_id and o.created_at < clock_timestamp() - interval '24 hours'
      limit 10
      for update skip locked
    );
    return next;
  else
    return query
      select false, k.fingerprint = p_fingerprint, k.status, k.headers, k.body
      from idempotency_keys k
      where k.tenant_id = p_tenant_id and k.caller = p_caller and k.method = p_method and k.path = p_path
        and k.key = p_key;
  end if;
end
$$;

create function keep_idempotent_answer(
  p_tenant_id text, p_caller text, p_method text, p_path text, p_key text, p_status integer, p_headers jsonb, p_body text
)
returns void
language sql
as $$
  update idempotency_keys
  set status = p_status, headers = p_headers, body = p_body
  where tenant_id = p_tenant_id and caller = p_caller and method = p_method and path = p_path and key = p_key;
$$;

grant select, insert, update, delete on idempotency_keys to meridian_orders;
