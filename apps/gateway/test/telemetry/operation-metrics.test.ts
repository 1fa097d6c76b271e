import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '@meridian/telemetry';
import { eventually } from '@meridian/testing';

import { createOperationMetrics } from '../../src/telemetry/operation-metrics.ts';
import { RequestNotes } from '../../src/telemetry/request-notes.ts';
import { createUsageMetrics } from '../../src/usage/usage-metrics.ts';
import { samplesOf } from '../support/samples.ts';
import { leave } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

describe('meridian_operation_duration_seconds', () => {
  const gateway = useTestGateway();

  beforeEach(() => gateway.start());
  async function counts(): Promise<Readonly<Record<string, number>>> {
    const samples = samplesOf(await gateway.metrics(), 'meridian_operation_duration_seconds_count');
    return Object.fromEntries(
      samples.map(({ labels, value }) => [
        `${labels['graphql_operation_type']} ${labels['graphql_operation_name']} ${labels['outcome']}`,
        value,
      ]),
    );
  }

  it('counts operations by name, type and outcome, and no request that never reached an operation', async () => {
    await gateway.post({ query: 'query Good { time }' });
    await gateway.post({ query: 'query Good { time }' });
    await gateway.post({ query: 'query Wrong($first: Int!) { topProducts(first: $first) { name } }' });
    await gateway.post({ query: '{' });
    gateway.products.misbehave((response) => void response.destroy());
    await gateway.post({ query: 'query Partial { time }' });
    await gateway.post({ query: 'query Failed { topProducts { name } }' });
    expect(await counts()).toEqual({
      'query Good success': 2,
      'query Wrong refused': 1,
      'query Partial partial': 1,
      'query Failed error': 1,
    });
  });

  it('counts a gateway timeout as an error, but not a client that goes away', async () => {
    await gateway.close();
    await gateway.start({ config: 'traffic_shaping: { router: { timeout: 50ms } }' });
    gateway.products.misbehave(() => {});
    // On a busy machine the time can be over before the operation is known.
    await eventually(async () => {
      await gateway.post({ query: 'query Slow { time }' });
      expect(Object.keys(await counts())).toEqual(['query Slow error']);
    });

    await gateway.close();
    await gateway.start();
    await leave(gateway, { query: 'query Left { time }' });
    await eventually(async () => expect(await counts()).toEqual({ 'query Left cancelled': 1 }));
  });
});

describe('Metric labels that clients choose', () => {
  const hostile = Array.from({ length: 10_000 }, (_, index) => `name ${index}",\n\\{}`);

  const useBy = (clientName: string, clientVersion: string) => ({
    clientName,
    clientVersion,
    day: '2026-01-31',
    operationId: 'a',
    requests: 1,
    failed: 0,
    cost: 1,
    durations: [1],
    inputs: [],
  });

  it('are 500 names of operations, and (others)', async () => {
    const metrics = createMetrics({ service: 'gateway' });
    const { observeOperation } = createOperationMetrics(metrics);
    for (const name of hostile) {
      const notes = new RequestNotes({});
      notes.onCompiled({ name, type: 'query' });
      observeOperation(notes, 1);
    }
    const samples = samplesOf(await metrics.registry.metrics(), 'meridian_operation_duration_seconds_count');
    expect(samples).toHaveLength(501);
    expect(samples.find(({ labels }) => labels['graphql_operation_name'] === '(others)')?.value).toBe(9500);
  });

  it('are 500 names with an outcome other than success, and (others)', async () => {
    const metrics = createMetrics({ service: 'gateway' });
    const { observeOperation } = createOperationMetrics(metrics);
    for (const outcome of ['refused', 'error', 'cancelled'] as const) {
      for (const name of hostile) {
        const notes = new RequestNotes({});
        notes.onCompiled({ name, type: 'query' });
        notes.outcome = outcome;
        observeOperation(notes, 1);
      }
    }
    const samples = samplesOf(await metrics.registry.metrics(), 'meridian_operation_duration_seconds_count');
    expect(samples).toHaveLength(503);
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(30_000);
  });

  it.each([
    ['names of clients', (name: string) => [name, ''] as const],
    ['versions of a client', (name: string) => ['web', name] as const],
    ['names and versions', (name: string) => [name, name] as const],
  ])('are at most 500 %s, and (others)', async (_what, clientOf) => {
    const metrics = createMetrics({ service: 'gateway' });
    const { add } = createUsageMetrics(metrics, () => {});
    const usage = hostile.map((name) => useBy(...clientOf(name)));
    add({ id: 'batch', operations: [{ id: 'a', name: 'A', fields: [] }], usage });
    const samples = samplesOf(await metrics.registry.metrics(), 'meridian_operation_requests_total');
    expect(samples).toHaveLength(501);
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(10_000);
  });

  it("keep a client's name when its versions are merged", async () => {
    const metrics = createMetrics({ service: 'gateway' });
    const { add } = createUsageMetrics(metrics, () => {});
    const usage = hostile.map((version) => useBy('web', version));
    add({ id: 'batch', operations: [{ id: 'a', name: 'A', fields: [] }], usage });
    const samples = samplesOf(await metrics.registry.metrics(), 'meridian_operation_requests_total');
    expect(samples).toContainEqual({
      labels: { operation: 'A', client: 'web', client_version: '(others)', service: 'gateway' },
      value: 9500,
    });
  });
});
