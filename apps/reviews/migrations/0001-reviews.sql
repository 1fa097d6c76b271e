-- Reviews of all tenants. The service's role owns nothing here: it reads and writes through forced row-level
-- security, so a statement that forgets its tenant finds no row. Products and authors belong to other services: here
-- they are identifiers.

create table reviews (
  tenant_id text not null,
  id uuid not null,
  product_id uuid not null,
  author_id uuid not null,
  rating smallint not null check (rating between 1 and 5),
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

create index reviews_of_a_product_newest_first on reviews (tenant_id, product_id, created_at desc, id desc);

-- The count and the sum of each product's ratings, changed by the same statement that adds a review: an average is one
-- look-up, however many reviews there are.
create table product_ratings (
  tenant_id text not null,
  product_id uuid not null,
  review_count integer not null check (review_count > 0),
  rating_sum bigint not null,
  primary key (tenant_id, product_id)
);

alter table reviews enable row level security;
alter table reviews force row level security;
alter table product_ratings enable row level security;
alter table product_ratings force row level security;

create policy reviews_of_the_tenant on reviews
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));
create policy product_ratings_of_the_tenant on product_ratings
  using (tenant_id = nullif(current_setting('meridian.tenant_id', true), ''));

grant select, insert on reviews to meridian_reviews;
grant select, insert, update on product_ratings to meridian_reviews;
