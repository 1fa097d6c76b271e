-- Reviews say that they were added: each writes its event.
\ir ../../../packages/services/events/migrations/0001-event-log.sql

-- Adds reviews, and counts them in their products' ratings; reviews that exist stay as they are and are not counted.
-- Ratings are locked in order, so that writers never deadlock.
drop function add_reviews(text, jsonb);
create function add_reviews(
  p_tenant_id text, p_reviews jsonb, p_issuer text default null, p_subject text default null
)
returns void
language plpgsql
as $$
declare
  v_review record;
  v_created_at timestamptz;
begin
  perform set_config('meridian.tenant_id', p_tenant_id, true);
  for v_review in
    select * from jsonb_to_recordset(p_reviews)
      as (id uuid, "productId" uuid, "authorId" uuid, rating smallint, body text, "createdAt" timestamptz)
    order by "productId"
  loop
    v_created_at := coalesce(v_review."createdAt", clock_timestamp());
    insert into reviews (tenant_id, id, product_id, author_id, rating, body, created_at)
      values (
        p_tenant_id, v_review.id, v_review."productId", v_review."authorId", v_review.rating, v_review.body, v_created_at
      )
      on conflict do nothing;
    if found then
      insert into product_ratings as known (tenant_id, product_id, review_count, rating_sum)
        values (p_tenant_id, v_review."productId", 1, v_review.rating)
        on conflict (tenant_id, product_id) do update
        set review_count = known.review_count + excluded.review_count,
          rating_sum = known.rating_sum + excluded.rating_sum;
      perform tell(
        p_tenant_id, 'review.added', '/products/' || v_review."productId" || '/reviews/' || v_review.id, v_created_at,
        json_build_object(
          'id', v_review.id, 'product_id', v_review."productId", 'author_id', v_review."authorId",
          'rating', v_review.rating, 'body', v_review.body, 'created_at', utc_text(v_created_at)
        ),
        p_issuer, p_subject
      );
    end if;
  end loop;
end
$$;
