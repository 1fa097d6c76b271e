import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics } from '@meridian/telemetry';

import { createCostMetrics } from '../../../src/telemetry/cost-metrics.ts';
import { createCostReport } from '../../../src/pipeline/7-respond/report-cost.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const ask = { 'Meridian-Include-Cost': 'true' };

const gateway = useTestGateway();

beforeAll(() =>
  gateway.start({
    config:
      'demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 500 } } }',
  }),
);
describe('The cost in header fields', () => {
  it.each([
    ['a list costs the items that it has', '{ search { id } }', {}, 10, 2],
    ['a scalar costs nothing', '{ time }', {}, 0, 0],
    ['a null costs nothing', '{ product(id: "none") { id } }', {}, 1, 0],
    ['lists in lists add up', '{ topProducts(first: 2) { reviews(first: 3) { id } } }', {}, 8, 8],
    ['a weight replaces 1 or 0, for each item', '{ product(id: 1) { history } }', {}, 31, 7],
    ['a mutation costs 10 before its fields', 'mutation', {}, 11, 11],
    ['arguments cost what they contain', '{ search(filter: { page: { first: 3 } }) { id } }', {}, 12, 4],
    [
      'variables cost what they contain',
      '($f: Filter) { search(filter: $f) { id } }',
      { f: { page: { first: 3 } } },
      12,
      4,
    ],
    ['a field that is selected twice is one', '{ product(id: 1) { id } product(id: 1) { name } }', {}, 2, 1],
    [
      'a fragment counts for each object that it applies to; an unauthorized field costs nothing',
      '{ search { ...P ... on Voucher { code } } } fragment P on Product { supplier { id } parts { id } }',
      {},
      70,
      3,
    ],
    [
      'a field that @skip leaves out costs nothing',
      '{ product(id: 1) { id } more: product(id: 2) @skip(if: true) { id } }',
      {},
      1,
      1,
    ],
    [
      'a field that @include leaves out costs nothing, also under the name of an object member',
      '($b: Boolean!) { toString: product(id: 1) @include(if: $b) { id } }',
      { b: false },
      0,
      0,
    ],
  ])('follows the rule: %s: %s', async (_rule, text, variables, estimated, actual) => {
    const query = text === 'mutation' ? 'mutation A { rename(id: 1, name: "x") { id } }' : `query A ${text}`;
    const { headers } = await gateway.post({ query, variables }, ask);
    expect([headers.get('meridian-cost-estimated'), headers.get('meridian-cost-actual')]).toEqual([
      String(estimated),
      String(actual),
    ]);
  });

  it('is sent only to clients that ask for it', async () => {
    const { headers } = await gateway.post({ query: 'query A { time }' });
    expect([...headers.keys()].filter((name) => name.startsWith('meridian-'))).toEqual([]);
  });

  it('leaves the response as it is', async () => {
    const members = { query: 'query A { product(id: 1) { id } }' };
    const [withCost, other] = [await gateway.get(members, ask), await gateway.get(members)];
    expect(withCost.body).toEqual(other.body);
    expect(withCost.headers.get('etag')).toBe(other.headers.get('etag'));
  });
});

describe('The cost in the log and the metrics', () => {
  it("is on the request's log line", async () => {
    await gateway.post({ query: 'query OnTheLine { search { name } }' });
    await gateway.logged({ msg: 'request', costEstimated: 10, costActual: 2 });
  });

  it("has Apollo Router's names, for operations that ran and for those that were too expensive", async () => {
    await gateway.post({ query: 'query A { search { id name } }' });
    await gateway.post({ query: 'query A { topProducts(first: 100) { reviews(first: 100) { id } } }' });
    const metrics = await gateway.metrics();
    expect(metrics).toMatch(/^cost_estimated_count\{service="gateway",cost_result="COST_OK"\} \d+$/m);
    expect(metrics).toMatch(
      /^cost_estimated_count\{service="gateway",cost_result="COST_ESTIMATED_TOO_EXPENSIVE"\} 1$/m,
    );
    expect(metrics).toMatch(/^cost_actual_sum\{service="gateway",cost_result="COST_OK"\} [1-9]\d*$/m);
    expect(metrics).toMatch(/^cost_delta_sum\{service="gateway",cost_result="COST_OK"\} [1-9]\d*$/m);
  });

  it('is measured for the first response of an operation, and then for one in so many', async () => {
    await using sparse = await startTestGateway({ config: 'meridian: { cost: { measure_every: 3 } }' });
    for (let count = 0; count < 5; count += 1) {
      await sparse.post({ query: 'query A { search { id } }' });
    }
    const measured = sparse.log
      .filter(({ msg }) => msg === 'request')
      .map(({ costActual }) => costActual !== undefined);
    expect(measured).toEqual([true, false, false, true, false]);
  });
});

describe('A response whose cost cannot be measured', () => {
  it('is sent without the actual cost; the log and the metrics say so', async () => {
    const metrics = createMetrics({ service: 'gateway' });
    const costs = createCostReport(createCostMetrics(metrics), 1);
    const faults: unknown[] = [];
    const destination = { write: (line: string) => void faults.push(JSON.parse(line)) };
    const log = createLogger({ service: 'gateway', destination });
    const run = {
      operation: {
        measureCost() {
          throw new RangeError('too deep');
        },
      },
      variables: {},
      result: { data: '{"time":"now"}' },
      estimated: 3,
      headers: { 'meridian-include-cost': 'true' },
    };
    const response = costs.report({ status: 200, headers: {}, body: Buffer.from('{}') }, run, {
      context: { log },
      notes: { costActual: undefined },
    });
    expect(response).toMatchObject({ status: 200, headers: { 'Meridian-Cost-Estimated': '3' } });
    expect(Object.keys(response.headers ?? {})).not.toContain('Meridian-Cost-Actual');
    expect(faults).toEqual([
      expect.objectContaining({
        msg: 'the cost of a response could not be measured',
        err: expect.objectContaining({ message: 'too deep' }),
      }),
    ]);
    expect(await metrics.registry.metrics()).toMatch(/^meridian_cost_measure_failures_total\S* 1$/m);
  });
});
