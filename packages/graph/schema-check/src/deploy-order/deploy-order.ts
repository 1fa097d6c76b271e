import { CommandError } from '@meridian/settings/command-line';
import type { SubgraphInterface } from '@meridian/composition';
import { readSubgraph } from '@meridian/composition';
import type { FetchStep, OperationPlan, Supergraph } from '@meridian/executor';
import { fetchesOf } from '@meridian/executor';
import { schemaElements } from '../changes/api/schema-elements.ts';
import type { Graph, SubgraphSource } from '../changes/graph.ts';
import type { KnownOperation } from '../changes/impact/known-operation.ts';
import { GraphQLError } from 'graphql';

import type { Sides } from '../read/read-sides.ts';
import type { Rules } from '../rules/rules.ts';
import { fetchObstacles } from './fetch-obstacles.ts';
import type { Obstacle } from './obstacle.ts';

/**
 * The order in which a changed subgraph and the supergraph may be deployed. In between, one of them is of the old
 * version.
 *
 * - `any`: neither order breaks a known operation.
 * - `subgraph-first`: the old subgraph would break plans of the new supergraph.
 * - `supergraph-first`: the new subgraph would break plans of the old supergraph.
 * - `two-steps`: both orders break an operation; the change has to be made in two.
 */
export type DeployOrder = 'any' | 'subgraph-first' | 'supergraph-first' | 'two-steps';

/** The order for one subgraph, and the reasons against the others. */
export interface SubgraphDeployOrder {
  readonly subgraph: string;
  readonly order: DeployOrder;
  readonly reasons: readonly DeployReason[];
}

/** A reason against an order. */
export interface DeployReason {
  /** The order that it is against. */
  readonly against: 'subgraph-first' | 'supergraph-first';
  /** Absent for a reason that concerns no single operation. */
  readonly operation: KnownOperation | undefined;
  /** A sentence without its full stop. */
  readonly message: string;
}

/** A known operation, with each plan that either supergraph may make of it. */
export interface PlannedOperation {
  readonly operation: KnownOperation;
  /** Empty for an operation that does not run over that supergraph. */
  readonly before: readonly OperationPlan[];
  readonly after: readonly OperationPlan[];
}

/**
 * Finds the order for each subgraph whose schema changed: old plans against its new schema, and new plans against its
 * old one. Nothing is known where only supergraphs are at hand.
 */
export function deployOrders(
  { before, after }: Sides,
  operations: readonly PlannedOperation[],
  rules: Pick<Rules, 'operations'>,
): readonly SubgraphDeployOrder[] {
  const names = new Set([...before.sources, ...after.sources].map(({ name }) => name));
  return [...names].toSorted().flatMap((name): readonly SubgraphDeployOrder[] => {
    const sourceBefore = sourceIn(before, name);
    const sourceAfter = sourceIn(after, name);
    if (sourceBefore?.sdl === sourceAfter?.sdl) {
      return [];
    }
    if (sourceBefore === undefined || sourceAfter === undefined) {
      const isAdded = sourceBefore === undefined;
      return [
        orderOf(
          name,
          isAdded ? [] : [wholeSubgraph('subgraph-first', 'the old supergraph sends it requests')],
          isAdded ? [wholeSubgraph('supergraph-first', 'the new supergraph sends it requests')] : [],
        ),
      ];
    }
    const versions = { before: readVersion(sourceBefore), after: readVersion(sourceAfter) };
    // Old plans meet the new subgraph, and new plans the old one.
    const againstSubgraphFirst = operations.flatMap(({ operation, before: plans }) =>
      findReasons('subgraph-first', operation, fetchesTo(name, plans), {
        supergraph: before.supergraph,
        own: versions.before,
        foreign: versions.after,
      }),
    );
    const againstSupergraphFirst = operations.flatMap(({ operation, after: plans }) =>
      findReasons('supergraph-first', operation, fetchesTo(name, plans), {
        supergraph: after.supergraph,
        own: versions.after,
        foreign: versions.before,
      }),
    );
    return [
      orderOf(name, againstSubgraphFirst, [
        ...againstSupergraphFirst.filter((reason) => !isFutureValue(reason, againstSubgraphFirst)),
        ...(rules.operations === 'any' ? addedFields(versions.before, versions.after) : []),
      ]),
    ];
  });
}

interface FoundReason extends DeployReason {
  readonly obstacle: Obstacle | undefined;
}

function fetchesTo(name: string, plans: readonly OperationPlan[]): readonly FetchStep[] {
  return plans.flatMap(({ root }) => fetchesOf(root)).filter(({ subgraph }) => subgraph === name);
}

interface Versions {
  /** The supergraph that the plans are for. */
  readonly supergraph: Supergraph;
  /** The version of the subgraph that it was composed of, and the other. */
  readonly own: SubgraphInterface;
  readonly foreign: SubgraphInterface;
}

/** The obstacles that a fetch has with the other version of the subgraph, and not with its own. */
function findReasons(
  against: DeployReason['against'],
  operation: KnownOperation,
  fetches: readonly FetchStep[],
  { supergraph, own, foreign }: Versions,
): readonly FoundReason[] {
  const found = new Map<string, FoundReason>();
  for (const fetch of fetches) {
    const known = new Set(fetchObstacles({ fetch, supergraph, subgraph: own }).map(({ message }) => message));
    for (const obstacle of fetchObstacles({ fetch, supergraph, subgraph: foreign })) {
      const isUnsent =
        obstacle.side === 'input' &&
        against === 'subgraph-first' &&
        isRecorded(obstacle) &&
        operation.sentInputs?.has(obstacle.coordinate) === false;
      if (!known.has(obstacle.message) && !isUnsent) {
        found.set(obstacle.message, { against, operation, message: obstacle.message, obstacle });
      }
    }
  }
  return [...found.values()];
}

/** Usage has the input objects, input fields and enum values that clients sent, and neither arguments nor nulls. */
function isRecorded({ coordinate }: Obstacle): boolean {
  return !coordinate.includes('(');
}

/** A value that responses may hold too: the old supergraph must not get it, and nobody sends it yet. */
function isFutureValue({ obstacle }: FoundReason, against: readonly FoundReason[]): boolean {
  return (
    obstacle?.side === 'input' &&
    against.some(
      (reason) => reason.obstacle?.side === 'output' && reason.obstacle.coordinate === obstacle.coordinate,
    )
  );
}

/** Any client may ask for a new field as soon as the supergraph has it. */
function addedFields(before: SubgraphInterface, after: SubgraphInterface): readonly FoundReason[] {
  const known = schemaElements(before.schema);
  return [...schemaElements(after.schema)]
    .filter(([coordinate, { kind }]) => kind === 'field' && known.get(coordinate)?.kind !== 'field')
    .map(([coordinate]) =>
      wholeSubgraph('supergraph-first', `clients may ask for ${coordinate}, which is not known there`),
    );
}

function orderOf(
  subgraph: string,
  againstSubgraphFirst: readonly FoundReason[],
  againstSupergraphFirst: readonly FoundReason[],
): SubgraphDeployOrder {
  return {
    subgraph,
    order: orderWithout(againstSubgraphFirst.length > 0, againstSupergraphFirst.length > 0),
    reasons: [...againstSubgraphFirst, ...againstSupergraphFirst].map(({ against, operation, message }) => ({
      against,
      operation,
      message,
    })),
  };
}

/** The order that is left when one or both break an operation. */
function orderWithout(breaksSubgraphFirst: boolean, breaksSupergraphFirst: boolean): DeployOrder {
  if (breaksSubgraphFirst) {
    return breaksSupergraphFirst ? 'two-steps' : 'supergraph-first';
  }
  return breaksSupergraphFirst ? 'subgraph-first' : 'any';
}

/** A reason that concerns no single operation. */
function wholeSubgraph(against: DeployReason['against'], message: string): FoundReason {
  return { against, operation: undefined, message, obstacle: undefined };
}

function sourceIn({ sources }: Graph, name: string): SubgraphSource | undefined {
  return sources.find((source) => source.name === name);
}

function readVersion({ name, sdl }: SubgraphSource): SubgraphInterface {
  try {
    return readSubgraph(name, sdl);
  } catch (error) {
    if (error instanceof GraphQLError) {
      throw new CommandError(`Cannot read the schema of ${name}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
