import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@meridian/telemetry';

import { databaseMetrics } from '../src/database-metrics.ts';

describe('db_client_operation_duration_seconds', () => {
  it.each([
    [undefined, ''],
    [Object.assign(new Error('late'), { code: 'store-timeout' }), 'store-timeout'],
    [Object.assign(new Error('gone'), { code: 'store-unavailable' }), 'store-unavailable'],
    [Object.assign(new Error('lost'), { code: 'outcome-unknown' }), 'outcome-unknown'],
    [Object.assign(new Error('a duplicate'), { code: '23505' }), 'statement-failed'],
    ['no error at all', 'statement-failed'],
  ])('has a few types of errors: %s is %j', async (error, errorType) => {
    const metrics = createMetrics({ service: 'test' });
    databaseMetrics(metrics)({ kind: 'query', durationMs: 4, error });
    expect(await metrics.registry.metrics()).toContain(
      `db_client_operation_duration_seconds_bucket{le="0.005",service="test",kind="query",error_type="${errorType}"} 1`,
    );
  });
});
