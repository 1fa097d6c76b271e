-- Secrets of webhooks move to a new key by themselves, and a webhook with a new URL begins without failures.

-- The webhooks of a tenant with a secret whose text does not begin with p_prefix.
create function list_sealed_secrets(p_tenant_id text, p_prefix text)
returns table (webhook_id uuid, sealed_secret text)
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  return query
    select w.id, s.secret
    from webhooks w cross join lateral unnest(w.sealed_secrets) as s (secret)
    where w.tenant_id = p_tenant_id and not starts_with(s.secret, p_prefix);
end
$$;

-- The same secret, encrypted again.
create function replace_sealed_secret(p_tenant_id text, p_webhook_id uuid, p_before text, p_after text) returns void
language plpgsql
as $$
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  update webhooks w set sealed_secrets = array_replace(w.sealed_secrets, p_before, p_after)
    where w.tenant_id = p_tenant_id and w.id = p_webhook_id;
end
$$;

create or replace function update_webhook(
  p_tenant_id text, p_id uuid, p_members text[], p_url text, p_types text[], p_description text, p_status text
)
returns table (
  id uuid, url text, types text[], description text, status text, disabled_reason text, failing_since timestamptz,
  created_at timestamptz
)
language plpgsql
as $$
declare
  v_webhook webhooks;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  perform lock_webhooks(p_tenant_id);
  select w.* into v_webhook
    from webhooks w where w.tenant_id = p_tenant_id and w.id = p_id and w.status <> 'deleted' for update;
  if not found then
    return;
  end if;
  if 'url' = any (p_members) and v_webhook.url <> p_url then
    v_webhook.url := p_url;
    v_webhook.failing_since := null;
  end if;
  if 'types' = any (p_members) then
    v_webhook.types := p_types;
  end if;
  if 'description' = any (p_members) then
    v_webhook.description := p_description;
  end if;
  if 'status' = any (p_members) and v_webhook.status <> p_status then
    v_webhook.status := p_status;
    if p_status = 'active' then
      v_webhook.active_since := clock_timestamp();
      v_webhook.disabled_reason := null;
      v_webhook.failing_since := null;
    else
      v_webhook.disabled_reason := 'requested';
    end if;
  end if;
  update webhooks w
    set url = v_webhook.url, types = v_webhook.types, description = v_webhook.description, status = v_webhook.status,
      disabled_reason = v_webhook.disabled_reason, active_since = v_webhook.active_since,
      failing_since = v_webhook.failing_since
    where w.tenant_id = p_tenant_id and w.id = p_id;
  return query select * from find_webhook(p_tenant_id, p_id);
end
$$;
