import { describe, expect, it } from '@jest/globals';
import { createHistogram } from '@meridian/telemetry';
import { Histogram, Registry } from 'prom-client';

const description = {
  name: 'durations_seconds',
  help: 'Durations.',
  labelNames: ['method', 'status'],
  buckets: [0.001, 0.01, 0.1, 1],
} as const;

describe('createHistogram', () => {
  it('renders what a histogram of prom-client renders for the same observations', async () => {
    const [registry, reference] = [new Registry(), new Registry()];
    const histogram = createHistogram({ registry, ...description });
    const expected = new Histogram({
      ...description,
      buckets: [...description.buckets],
      registers: [reference],
    });
    for (let n = 0; n < 500; n += 1) {
      const labels = { method: n % 3 === 0 ? 'GET' : 'POST', status: n % 7 === 0 ? 500 : 200 };
      // Powers of two and bounds themselves: sums that do not depend on the order, and values on the edge of a bucket.
      const value = n % 5 === 0 ? (description.buckets[n % 4] ?? 0) : 2 ** ((n % 14) - 11);
      histogram.observe(labels, value);
      expected.observe(labels, value);
    }
    registry.setDefaultLabels({ service: 'gateway' });
    reference.setDefaultLabels({ service: 'gateway' });
    expect(await registry.metrics()).toBe(await reference.metrics());
    expect(await reference.getMetricsAsJSON()).toMatchObject(await registry.getMetricsAsJSON());
  });

  it('counts a held series together with observations of the same labels', async () => {
    const registry = new Registry();
    const histogram = createHistogram({ registry, ...description });
    histogram.series({ method: 'GET', status: 200 }).observe(0.5);
    histogram.observe({ status: 200, method: 'GET' }, 0.5);
    expect(await registry.metrics()).toContain('durations_seconds_count{method="GET",status="200"} 2');
  });

  it('leaves out what is not a finite number, which would spoil the sum for ever', async () => {
    const registry = new Registry();
    const histogram = createHistogram({ registry, ...description });
    [Number.NaN, Number.POSITIVE_INFINITY, 1].forEach((value) =>
      histogram.observe({ method: 'GET', status: 200 }, value),
    );
    expect(await registry.metrics()).toContain('durations_seconds_sum{method="GET",status="200"} 1');
  });
});
