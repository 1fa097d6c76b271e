import { listFetches } from '@meridian/executor';
import type { FieldFigures, KnownGraph, ReadFigures, ReadOperation } from '@meridian/schema-check';
import { createPlanner, usedCoordinates } from '@meridian/schema-check';
import { Kind } from 'graphql';

import type { ClientData, GraphData, OperationData } from '../graph-data.ts';
import { describeTypes } from './describe-types.ts';

/** The gateway's part of the page: figures as it computes them. */
export interface GatewayFigures {
  readonly readFigures: ReadFigures;
  readonly readFieldFigures: (
    supergraph: KnownGraph['graph']['supergraph'],
  ) => (typeName: string, fieldName: string) => FieldFigures;
}

/** Describes a graph for the page. Plans take the most time: a few milliseconds each. */
export async function describeGraph(
  known: KnownGraph,
  { readFigures, readFieldFigures }: GatewayFigures,
  writtenAt: Date,
): Promise<GraphData> {
  const { supergraph, sources } = known.graph;
  const days = daysOf(known);
  const operations = known.operations.toSorted((one, other) =>
    one.operation.name.localeCompare(other.operation.name, 'en'),
  );
  const planOf = createPlanner(supergraph);
  const figuresOf = readFigures(supergraph);
  const described: OperationData[] = [];
  for (const operation of operations) {
    const [plan, movedPlan] = (await planOf(operation)).map(listFetches);
    described.push({
      ...describeOperation(operation, figuresOf),
      clients: clientsOf(known, operation, days),
      plan,
      movedPlan: JSON.stringify(movedPlan) === JSON.stringify(plan) ? undefined : movedPlan,
    });
  }
  const uses = operations.flatMap((operation, index) =>
    Array.from(usedCoordinates(supergraph.apiSchema, operation), (coordinate) => ({ coordinate, index })),
  );
  const usesOf = Map.groupBy(uses, ({ coordinate }) => coordinate);
  const files = new Map(sources.map(({ name, file }) => [name, file]));
  return {
    writtenAt: writtenAt.toISOString(),
    subgraphs: supergraph.subgraphs.map(({ name, url }) => {
      const file = files.get(name);
      return { name, url, file, owners: file === undefined ? [] : known.ownersOf(file) };
    }),
    types: describeTypes(known.graph, {
      usersOf: (coordinate) => (usesOf.get(coordinate) ?? []).map(({ index }) => index),
      figuresOf: readFieldFigures(supergraph),
    }),
    operations: described,
    usage: { reason: known.window.reason, days },
  };
}

/** All days of which use is at hand, those between without use included. */
function daysOf({ operations, readClientUses }: KnownGraph): readonly string[] {
  const days = operations.flatMap(({ operation }) =>
    readClientUses(operation).flatMap(({ daily }) => Array.from(daily.keys())),
  );
  const sorted = [...new Set(days)].toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const all: string[] = [];
  // A year at most: more would not fit on a page.
  for (let time = Date.parse(last); time >= Date.parse(first) && all.length < 366; time -= 86_400_000) {
    all.unshift(new Date(time).toISOString().slice(0, 10));
  }
  return all;
}

function describeOperation(
  { operation: { key, name, text, identifiers }, document }: ReadOperation,
  figuresOf: ReturnType<ReadFigures>,
): Omit<OperationData, 'clients'> {
  const definition = document?.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const {
    cost,
    maxCost,
    cache,
    requirements = [],
  } = (text === undefined ? undefined : figuresOf(text)) ?? {};
  const isCacheable = cache !== undefined && cache.maxAgeSeconds > 0;
  return {
    key,
    name,
    kind: definition?.operation ?? 'operation',
    text,
    identifiers,
    cost,
    maxCost,
    cache: isCacheable
      ? `max-age=${cache.maxAgeSeconds}, ${cache.isPrivate ? 'private' : 'public'}`
      : undefined,
    requires: requirements.map((requirement) => requirement.text),
  };
}

function clientsOf(
  { readClientUses }: KnownGraph,
  { operation }: ReadOperation,
  days: readonly string[],
): readonly ClientData[] {
  return readClientUses(operation).map(({ daily, cost: _cost, ...use }) =>
    Object.assign(use, {
      daily: daily.size === 0 ? undefined : days.map((day) => daily.get(day) ?? 0),
    }),
  );
}
