import type { GraphData, MemberData, OperationData } from '../../../src/graph/graph-data.ts';

/**
 * The content of a page for a graph of any size: 40 subgraphs, ten fields a type, plans of eight fetches. The first type
 * and its fields have the description.
 */
export function largeGraph(types: number, operations: number, description: string): GraphData {
  const named = (index: number): string => `Type${index}`;
  const field = (type: number, index: number): MemberData => ({
    name: `field${index}`,
    type: `[${named((type * 7 + index) % types)}!]`,
    ...(type === 0 ? { description, deprecated: description } : { description: `Field ${index} of a type.` }),
    places: [{ subgraph: type % 40, line: index + 3 }],
    cost: 1,
    operations: index === 0 ? [type % operations, (type + 1) % operations] : undefined,
  });
  const operation = (index: number): OperationData => ({
    key: `key${index}`,
    name: `Operation${index}`,
    kind: 'query',
    text: `query Operation${index} { field0 }`,
    identifiers: [`id${index}`],
    clients: [{ name: `app${index % 5}`, version: '1.0', requests: index, daily: days.map(() => index) }],
    cost: index,
    requires: [],
    plan: Array.from({ length: 8 }, (_, fetch) => ({
      number: fetch + 1,
      subgraph: `subgraph${fetch}`,
      operationKind: 'query',
      fields: ['id', 'name'],
      after: fetch === 0 ? [] : [Math.ceil(fetch / 2)],
      round: 1 + Math.floor(Math.log2(fetch + 1)),
    })),
  });
  return {
    writtenAt: '2026-01-31T12:00:00.000Z',
    subgraphs: Array.from({ length: 40 }, (_, index) => ({
      name: `subgraph${index}`,
      url: `http://127.0.0.1/${index}`,
      file: `apps/subgraph${index}/schema.graphql`,
      owners: [`@team/${index}`],
    })),
    types: Array.from({ length: types }, (_, index) => ({
      name: named(index),
      kind: 'type',
      description: index === 0 ? description : undefined,
      keys: ['id in subgraph0'],
      related: [],
      places: [{ subgraph: index % 40, line: 1 }],
      members: Array.from({ length: 10 }, (_one, member) => field(index, member)),
    })),
    operations: Array.from({ length: operations }, (_, index) => operation(index)),
    usage: { reason: 'usage of 30 days', days },
  };
}

const days = Array.from({ length: 30 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`);
