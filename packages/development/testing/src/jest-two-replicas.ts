// The suites of a run call two processes of their service in turn: see apps/accounts/test/replicas.ts.
process.env['MERIDIAN_TEST_REPLICAS'] = '2';
