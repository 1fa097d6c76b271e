import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import type { RecordedUsage } from '@meridian/schema-check';
import { defaultRules, knownGraph, readGraph, readKnownGraph } from '@meridian/schema-check';

import type { GraphData, MemberData, TypeData } from '../../src/graph/graph-data.ts';
import type { GatewayFigures } from '../../src/graph/read/describe-graph.ts';
import { describeGraph } from '../../src/graph/read/describe-graph.ts';
import { writePage } from '../../src/graph/write-page.ts';

const checkout = join(import.meta.dirname, '../../../../..');

const figures: GatewayFigures = {
  readFigures: () => () => ({
    cost: 7,
    maxCost: 2000,
    pageSizeFault: undefined,
    cache: { maxAgeSeconds: 30, isPrivate: true },
    requirements: [{ of: 'scopes', sets: [['a', 'b'], ['c']], text: 'the scopes a and b or the scope c' }],
  }),
  readFieldFigures: () => (_type, field) => ({
    cost: field === 'reviews' ? 1 : 0,
    requires: field === 'order' ? 'the scope orders:read' : undefined,
    cache: undefined,
  }),
};

function typeNamed({ types }: GraphData, name: string): TypeData | undefined {
  return types.find((type) => type.name === name);
}

function memberNamed(data: GraphData, type: string, name: string): MemberData | undefined {
  return typeNamed(data, type)?.members.find((member) => member.name === name);
}

describe('The content of the page of the shipped graph', () => {
  let data: GraphData;
  beforeAll(async () => {
    data = await describeGraph(
      readKnownGraph({ root: checkout, usage: undefined }),
      figures,
      new Date('2026-01-31T12:00:00Z'),
    );
  });

  const operationsOf = (member: MemberData | undefined): readonly string[] =>
    (member?.operations ?? []).map((index) => data.operations[index]?.name ?? '');

  it('has the subgraphs with their schemas and owners', () => {
    expect(data.subgraphs.find(({ name }) => name === 'products')).toMatchObject({
      file: 'apps/products/schema.graphql',
      owners: ['@meridian/products'],
    });
  });

  it('has each field with its place, cost, scopes, deprecation and operations', () => {
    const products = data.subgraphs.findIndex(({ name }) => name === 'products');
    expect(memberNamed(data, 'Product', 'name')).toMatchObject({
      type: 'String!',
      description: expect.any(String),
      places: [{ subgraph: products, line: expect.any(Number) }],
    });
    expect(operationsOf(memberNamed(data, 'Product', 'name'))).toContain('OrderDetails');
    expect(memberNamed(data, 'Product', 'reviews')).toMatchObject({
      cost: 1,
      args: [{ name: 'first', type: 'Int!', fallback: '10' }],
    });
    expect(memberNamed(data, 'Query', 'order')?.requires).toBe('the scope orders:read');
    expect(memberNamed(data, 'Order', 'cancellationReason')?.deprecated).toContain('cancellation');
  });

  it('has root types first, keys with their subgraphs, and enum values with their operations', () => {
    expect(data.types.slice(0, 2).map(({ name }) => name)).toEqual(['Mutation', 'Query']);
    expect(typeNamed(data, 'Product')?.keys).toEqual(['id in orders, products, reviews']);
    expect(operationsOf(memberNamed(data, 'OrderStatus', 'SHIPPED'))).toContain('RecentOrders');
  });

  it('has each operation of the manifest with its figures and its plan', () => {
    expect(data.operations.find(({ name }) => name === 'OrderDetails')).toMatchObject({
      kind: 'query',
      clients: [{ name: 'storefront' }],
      cost: 7,
      maxCost: 2000,
      cache: 'max-age=30, private',
      requires: ['the scopes a and b or the scope c'],
      plan: [
        { number: 1, subgraph: 'orders', round: 1 },
        { number: 2, subgraph: 'products', round: 2, after: [1] },
        { number: 3, subgraph: 'products', round: 2, after: [1] },
      ],
    });
  });

  it('says that no usage is at hand', () => {
    expect(data.usage).toEqual({ reason: 'no usage is at hand', days: [] });
  });
});

const hostile = '</script><script>alert(1)</script>"\'<!--';

async function describeHostile(usage?: RecordedUsage): Promise<GraphData> {
  const sdl = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
    type Query { "${hostile.replaceAll('"', '\\"')}" a(of: Any = {x: 1}): Int @deprecated(reason: "<b>no</b>") }
    scalar Any
  `;
  const subgraphs = [{ name: 'one', routingUrl: 'http://127.0.0.1', file: 'one.graphql', sdl }];
  const { supergraphSdl = '' } = composeSupergraph(subgraphs);
  const known = knownGraph({
    graph: readGraph(supergraphSdl, subgraphs),
    listed: [],
    usage,
    rules: defaultRules,
    ownersOf: () => [],
    today: new Date('2026-01-31T12:00:00Z'),
  });
  return await describeGraph(known, figures, new Date('2026-01-31T12:00:00Z'));
}

describe('The use of operations', () => {
  it('is there by client and day, days without use included', async () => {
    const { operations, usage } = await describeHostile({
      format: 'meridian-usage',
      version: 1,
      exportedAt: '2026-01-31T06:00:00Z',
      days: 30,
      recordedDays: 45,
      operations: [
        {
          name: 'A',
          text: 'query A { a }',
          queryHash: null,
          fields: ['Query.a'],
          uses: [
            {
              client: 'app',
              version: '1',
              requests: 5,
              lastDay: '2026-01-30',
              daily: { '2026-01-28': 2, '2026-01-30': 3 },
              failedShare: 0.2,
              p95Ms: 12,
              cost: 4,
              inputs: null,
            },
          ],
        },
      ],
    });
    expect(usage.days).toEqual(['2026-01-28', '2026-01-29', '2026-01-30']);
    expect(operations).toMatchObject([
      {
        name: 'A',
        clients: [{ name: 'app', version: '1', requests: 5, daily: [2, 0, 3], failedShare: 0.2, p95Ms: 12 }],
      },
    ]);
  });
});

describe('The page', () => {
  it('is one file that loads nothing, whose policy allows its own script and style alone', async () => {
    const html = await writePage(await describeHostile());
    expect(html).not.toMatch(/<(?:script|img|iframe|link)[^>]* (?:src|href)="(?!data:)/u);
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/u.exec(html) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    for (const [tag, name] of [
      ['script type="module"', 'script-src'],
      ['style', 'style-src'],
    ] as const) {
      const start = html.indexOf(`<${tag}>`) + tag.length + 2;
      const content = html.slice(start, html.indexOf(`</${tag.split(' ', 1)[0]}>`, start));
      const hash = createHash('sha256').update(content).digest('base64');
      expect(policy).toContain(`${name} 'sha256-${hash}'`);
    }
  });

  it('keeps descriptions inside its data, whatever they are', async () => {
    const html = await writePage(await describeHostile());
    expect(html).not.toContain('alert(1)</script>');
    // Its own two: the data and the program.
    expect(html.match(/<\/script>/gu)).toHaveLength(2);
    const [, packed = ''] = /id="data">([^<]*)</u.exec(html) ?? [];
    const data = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as GraphData;
    expect(memberNamed(data, 'Query', 'a')).toMatchObject({
      description: hostile,
      args: [{ fallback: '{x: 1}' }],
    });
  });
});
