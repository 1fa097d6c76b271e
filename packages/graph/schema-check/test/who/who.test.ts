import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { readCodeOwners } from '../../src/read/code-owners.ts';
import { defaultRules } from '../../src/rules/rules.ts';
import { describeWho } from '../../src/commands/print-who-uses.ts';
import type { WhoReport } from '../../src/who/who-uses.ts';
import { whoUses } from '../../src/who/who-uses.ts';
import { knownGraph } from '../../src/operations/known-graph.ts';
import { listed, shippedGraph } from '../support/shipped-graph.ts';
import { recorded, usageOf, use } from '../support/usage.ts';
import { plainFigures } from '../support/small-graph.ts';

const owners = readFileSync(join(import.meta.dirname, '../../../../../.github/CODEOWNERS'), 'utf8');

function askWho(coordinate: string): WhoReport {
  const known = knownGraph({
    graph: shippedGraph,
    listed,
    usage: usageOf([
      recorded('Why', 'query Why { order(id: "…") { cancellationReason } }', [
        use({ failedShare: 0.25, p95Ms: 31.7, cost: 2 }),
        use({ version: '4.0', requests: 1, lastDay: '2026-01-09' }),
      ]),
    ]),
    rules: { ...defaultRules, clients: [{ client: 'app', owners: ['@team-app'] }] },
    ownersOf: readCodeOwners(owners),
    today: new Date('2026-01-31T12:00:00Z'),
  });
  return whoUses({
    coordinate,
    known,
    deprecatedSince: (file) => (file.includes('orders') ? { since: '2026-01-02', isExact: true } : undefined),
    figuresOf: () => ({ ...plainFigures, cost: 3 }),
    fieldFiguresOf: () => ({ cost: 1, requires: 'the scope orders:read', cache: undefined }),
  });
}

const namesOf = ({ operations }: WhoReport): readonly string[] =>
  operations.map(({ name }) => name).toSorted();

describe('pnpm graph who', () => {
  it('names the owner, the file and line, and the clients with their last use', () => {
    const report = askWho('Order.cancellationReason');
    expect(report).toMatchObject({
      element: { kind: 'field', type: 'String', deprecationReason: expect.stringContaining('cancellation') },
      places: [{ subgraph: 'orders', owners: ['@meridian/orders'], file: 'apps/orders/schema.graphql' }],
      operations: [
        {
          name: 'Why',
          cost: 3,
          clients: [
            {
              name: 'app',
              version: '4.1',
              requests: 12,
              lastDay: '2026-01-30',
              p95Ms: 31.7,
              failedShare: 0.25,
              cost: 2,
            },
            { name: 'app', version: '4.0', requests: 1, p95Ms: undefined },
          ],
        },
      ],
      isUsageSufficient: true,
    });
    const [place] = report.places;
    const schema = readFileSync(join(import.meta.dirname, '../../../../..', place?.file ?? ''), 'utf8').split(
      '\n',
    );
    expect(schema[(place?.line ?? 0) - 1]).toContain('cancellationReason');
  });

  it('lists the operations of the manifest that select a field, for each subgraph that resolves it', () => {
    expect(namesOf(askWho('Product.name'))).toContain('OrderDetails');
    expect(
      askWho('Product.id')
        .places.map(({ subgraph }) => subgraph)
        .toSorted(),
    ).toEqual(['orders', 'products', 'reviews']);
  });

  it('has neither a deprecation nor figures for what has none', () => {
    expect(askWho('OrderStatus')).toMatchObject({ deprecatedSince: undefined, figures: undefined });
  });

  it('counts an enum value as used where responses may hold it', () => {
    expect(namesOf(askWho('OrderStatus.SHIPPED'))).toContain('RecentOrders');
  });

  it('knows arguments', () => {
    expect(askWho('Query.order(id:)')).toMatchObject({ element: { kind: 'argument', type: 'ID!' } });
    expect(namesOf(askWho('Query.order(id:)'))).toContain('Why');
  });

  it.each([
    ['Product.nmae', 'Product.name'],
    ['Prodct', 'Product'],
    ['OrderStatus.SHIPED', 'OrderStatus.SHIPPED'],
    ['Query.order(nr:)', 'Query.order(id:)'],
  ])('names the element that is nearest to %s: %s', (coordinate, nearest) => {
    expect(() => askWho(coordinate)).toThrow(
      `The graph has no ${coordinate}; the nearest name is ${nearest}`,
    );
  });

  it('says of what is @inaccessible that clients do not see it', () => {
    expect(() => askWho('Product.weightGrams')).toThrow(
      'Clients do not see Product.weightGrams: it is @inaccessible',
    );
  });

  it('prints a page for a terminal', () => {
    expect(describeWho(askWho('Order.cancellationReason')).split('\n')).toEqual([
      'Order.cancellationReason: String (field)',
      'deprecated, since 2026-01-02: Use `cancellation { reason }`.',
      'needs the scope orders:read; cost 1',
      '',
      expect.stringMatching(/^orders at apps\/orders\/schema\.graphql:\d+, owned by @meridian\/orders$/u),
      '',
      '1 operation:',
      '  Why  cost 3  app  4.1  12 requests  last on 2026-01-30  p95 32 ms  25.0 % errors  mean cost 2.0  of @team-app',
      '               app  4.0  1 request    last on 2026-01-09                                           of @team-app',
      '',
      'Seen: the manifests and usage of 30 days.',
      '',
    ]);
  });
});
