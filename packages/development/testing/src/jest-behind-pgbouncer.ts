// The suites of a run go to their databases through PgBouncer: see openTestRoute.
process.env['MERIDIAN_TEST_POOLER'] = 'pgbouncer';
