-- Adds reviews, and counts them in their products' ratings; reviews that exist stay as they are and are not counted. Each
-- statement names its tenant and touches one shard, as a distributed PostgreSQL (docs/scale.md) runs it. Ratings are
-- locked in order, so that writers never deadlock.
create function add_reviews(p_tenant_id text, p_reviews jsonb)
returns void
language plpgsql
as $$
declare
  v_review record;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  for v_review in
    select * from jsonb_to_recordset(p_reviews)
      as (id uuid, "productId" uuid, "authorId" uuid, rating smallint, body text, "createdAt" timestamptz)
    order by "productId"
  loop
    insert into reviews (tenant_id, id, product_id, author_id, rating, body, created_at)
      values (
        p_tenant_id, v_review.id, v_review."productId", v_review."authorId", v_review.rating, v_review.body,
        coalesce(v_review."createdAt", clock_timestamp())
      )
      on conflict do nothing;
    if found then
      insert into product_ratings as known (tenant_id, product_id, review_count, rating_sum)
        values (p_tenant_id, v_review."productId", 1, v_review.rating)
        on conflict (tenant_id, product_id) do update
        set review_count = known.review_count + excluded.review_count,
          rating_sum = known.rating_sum + excluded.rating_sum;
    end if;
  end loop;
end
$$;
