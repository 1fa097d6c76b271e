-- What the image of PostgreSQL runs, as the superuser, on a new data folder: for each app a database and a role to log in to it
-- that owns nothing, as packages/services/database provisions them elsewhere.
\getenv password SERVICE_PASSWORD

select format(step, 'meridian_' || replace(app, '-', '_'), :'password')
from unnest(array['accounts', 'products', 'reviews', 'orders', 'users', 'gateway']) as app,
  unnest(array[
    'create role %1$I login password %2$L',
    'create database %1$I',
    'revoke all on database %1$I from public',
    'grant connect on database %1$I to %1$I'
  ]) with ordinality as steps (step, position)
order by app, position
\gexec
