import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@meridian/telemetry';

describe('createMetrics', () => {
  it('renders requests by route, method and status, and problems by kind, for the service', async () => {
    const { registry, requestDurationSeconds, problemsTotal } = createMetrics({ service: 'accounts' });
    requestDurationSeconds.observe(
      { http_route: '/accounts/:id', http_request_method: 'GET', http_response_status_code: 200 },
      0.004,
    );
    problemsTotal.inc({ kind: 'stale-etag' });
    const text = await registry.metrics();
    expect(text).toContain(
      'http_server_request_duration_seconds_bucket{le="0.005",service="accounts",http_route="/accounts/:id",http_request_method="GET",http_response_status_code="200"} 1',
    );
    expect(text).toContain('http_server_problems_total{kind="stale-etag",service="accounts"} 1');
  });

  it('measures the process itself', async () => {
    expect(await createMetrics({ service: 'accounts' }).registry.metrics()).toContain(
      'process_resident_memory_bytes',
    );
  });

  it('shares nothing with other metrics in the process', async () => {
    createMetrics({ service: 'accounts' }).problemsTotal.inc({ kind: 'internal' });
    expect(await createMetrics({ service: 'orders' }).registry.metrics()).not.toContain('kind="internal"');
  });
});
