import { CommandError } from '@meridian/settings/command-line';
import { editDistance } from '@meridian/settings/values';
import type { GraphQLSchema } from 'graphql';

import type { SchemaElement } from '../changes/api/schema-elements.ts';
import { schemaElements } from '../changes/api/schema-elements.ts';
import type { ReadOperation } from '../changes/impact/known-operation.ts';
import { usedCoordinates } from '../changes/impact/known-operation.ts';
import { changeOf } from '../changes/change.ts';
import type { Place } from '../changes/places/locate-changes.ts';
import { createLocator } from '../changes/places/locate-changes.ts';
import type { DeprecatedSince, DeprecationDay } from '../deprecations/deprecated-since.ts';
import type { ClientUse } from '../operations/client-uses.ts';
import type { OperationFigures } from '../plans/figures.ts';
import type { KnownGraph } from '../operations/known-graph.ts';

export interface WhoInput {
  readonly coordinate: string;
  readonly known: KnownGraph;
  /** Finds since when an element of a schema file is deprecated. */
  readonly deprecatedSince: DeprecatedSince;
  /** The figures of an operation; undefined for one that the gateway rejects. */
  readonly figuresOf: (text: string) => OperationFigures | undefined;
  /** The figures of a field, as the gateway computes them. */
  readonly fieldFiguresOf: (typeName: string, fieldName: string) => FieldFigures;
}

/** Figures of a field, from its directives. */
export interface FieldFigures {
  /** Of one instance, without its selections. */
  readonly cost: number;
  /** In words, such as `the scope orders:read`; absent for a public field. */
  readonly requires: string | undefined;
  /** As in `max-age=30, private`; absent where it has no hint of its own. */
  readonly cache: string | undefined;
}

/** The owners and the users of an element of the schema. */
export interface WhoReport {
  readonly coordinate: string;
  readonly element: SchemaElement;
  /** Absent where it is not deprecated, or no history is at hand. */
  readonly deprecatedSince: DeprecationDay | undefined;
  /** Absent for an element that is not a field. */
  readonly figures: FieldFigures | undefined;
  /** In the subgraphs that define it. */
  readonly places: readonly OwnedPlace[];
  readonly operations: readonly UsingOperation[];
  /** True where an element without operations here is unused. */
  readonly isUsageSufficient: boolean;
  readonly usageReason: string;
}

export interface OwnedPlace extends Omit<Place, 'column'> {
  readonly owners: readonly string[];
}

export interface UsingOperation {
  readonly name: string;
  readonly identifiers: readonly string[];
  /** Estimated; absent where its text is not known. */
  readonly cost: number | undefined;
  readonly clients: readonly UsingClient[];
}

export interface UsingClient extends Omit<ClientUse, 'daily'> {
  /** Empty where none are known. */
  readonly owners: readonly string[];
}

/**
 * Finds who owns an element of the schema, and who uses it: the operations of the manifests and of recorded usage.
 *
 * @throws {CommandError} for a coordinate that the schema does not have
 */
export function whoUses(input: WhoInput): WhoReport {
  const { coordinate, known, figuresOf } = input;
  const { graph, window, ownersOf, readClientUses } = known;
  const { apiSchema } = graph.supergraph;
  const elements = schemaElements(apiSchema);
  const element = elements.get(coordinate);
  if (element === undefined) {
    throw new CommandError(
      schemaElements(graph.supergraph.schema).has(coordinate)
        ? `Clients do not see ${coordinate}: it is @inaccessible`
        : `The graph has no ${coordinate}; the nearest name is ${nearestTo(coordinate, elements.keys())}`,
    );
  }
  const locate = createLocator(graph, graph);
  const places = locate(changeOf('FIELD_REMOVED', coordinate)).map(({ subgraph, file, line }) => ({
    subgraph,
    owners: file === undefined ? [] : ownersOf(file),
    file,
    line,
  }));
  const operations = known.operations.filter((operation) =>
    isUsedBy(operation, { coordinate, element, apiSchema }),
  );
  return {
    coordinate,
    element,
    deprecatedSince: element.deprecationReason === undefined ? undefined : earliest(input, places),
    figures: element.kind === 'field' ? fieldFigures(input) : undefined,
    places,
    operations: operations.map(({ operation }) => ({
      name: operation.name,
      identifiers: operation.identifiers,
      cost: operation.text === undefined ? undefined : figuresOf(operation.text)?.cost,
      clients: readClientUses(operation).map(({ daily: _daily, ...use }) =>
        Object.assign({ owners: known.clientOwners(use.name) }, use),
      ),
    })),
    isUsageSufficient: window.isSufficient,
    usageReason: window.reason,
  };
}

/** The name with the fewest letters to change. */
function nearestTo(coordinate: string, elements: Iterable<string>): string {
  let [nearest, distance] = ['', Infinity];
  for (const name of elements) {
    const letters = editDistance(coordinate, name);
    if (letters < distance) {
      [nearest, distance] = [name, letters];
    }
  }
  return nearest;
}

/** A composed element is deprecated once one of its subgraphs says so. */
function earliest(
  { coordinate, deprecatedSince }: WhoInput,
  places: readonly OwnedPlace[],
): DeprecationDay | undefined {
  const days = places.flatMap(({ file }) =>
    file === undefined ? [] : (deprecatedSince(file, coordinate) ?? []),
  );
  const committed = days.filter(({ since }) => since !== null);
  const [first] = committed.toSorted((one, other) => ((one.since ?? '') < (other.since ?? '') ? -1 : 1));
  return first ?? days[0];
}

function fieldFigures({ coordinate, fieldFiguresOf }: WhoInput): FieldFigures {
  const [typeName = '', fieldName = ''] = coordinate.split('.');
  return fieldFiguresOf(typeName, fieldName);
}

interface Wanted {
  readonly coordinate: string;
  readonly element: SchemaElement;
  readonly apiSchema: GraphQLSchema;
}

function isUsedBy(operation: ReadOperation, { coordinate, element, apiSchema }: Wanted): boolean {
  const { facts } = operation;
  return element.kind === 'type'
    ? facts.types.has(coordinate) || facts.variableTypes.has(coordinate)
    : usedCoordinates(apiSchema, operation).has(coordinate);
}
