import { CommandError } from '@meridian/command-line';
import type { Graph, KnownOperation, OperationClient, ReadOperation } from '@meridian/schema-changes';
import { changeOf, createLocator, readOperation } from '@meridian/schema-changes';

import { knownOperations } from '../operations/known-operations.ts';
import { usageWindow } from '../operations/usage-window.ts';
import type { OwnersOf } from '../read/code-owners.ts';
import type { ClientOperation } from '../read/read-manifests.ts';
import type { RecordedUsage } from '../read/usage-file.ts';
import type { Rules } from '../rules/rules.ts';
import type { FoundElement } from './find-element.ts';
import { coordinatesNear, findElement } from './find-element.ts';

export interface WhoInput {
  readonly coordinate: string;
  readonly graph: Graph;
  readonly listed: readonly ClientOperation[];
  /** Absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  readonly rules: Pick<Rules, 'usageDays' | 'ignore'>;
  readonly ownersOf: OwnersOf;
  readonly today: Date;
}

/** The owners and the users of an element of the schema. */
export interface WhoReport {
  readonly coordinate: string;
  readonly element: FoundElement;
  /** In the subgraphs that define it. */
  readonly places: readonly OwnedPlace[];
  readonly operations: readonly UsingOperation[];
  /** True where an element without operations here is unused. */
  readonly isUsageSufficient: boolean;
  readonly usageReason: string;
}

export interface OwnedPlace {
  readonly subgraph: string;
  readonly owners: readonly string[];
  readonly file: string | undefined;
  readonly line: number | undefined;
}

export interface UsingOperation {
  readonly name: string;
  readonly identifiers: readonly string[];
  readonly clients: readonly OperationClient[];
}

/**
 * Finds who owns an element of the schema, and who uses it: the operations of the manifests and of recorded usage.
 *
 * @throws {CommandError} for a coordinate that the schema does not have
 */
export function whoUses(input: WhoInput): WhoReport {
  const { coordinate, graph, listed, usage, rules, ownersOf, today } = input;
  const { apiSchema } = graph.supergraph;
  const element = findElement(apiSchema, coordinate);
  if (element === undefined) {
    const near = coordinatesNear(apiSchema, coordinate);
    throw new CommandError(`The graph has no ${coordinate}. It has ${near.join(', ')}.`);
  }
  const window = usageWindow(usage, rules.usageDays, today);
  const sources = { listedBefore: listed, listedAfter: listed, usage, window, ignore: rules.ignore };
  const operations = [...knownOperations(sources).values()]
    .flatMap((operation) => readOperation(apiSchema, operation) ?? [])
    .filter((operation) => isUsedBy(operation, coordinate, element));
  const locate = createLocator(graph, graph);
  return {
    coordinate,
    element,
    places: locate(changeOf('FIELD_REMOVED', coordinate)).map(({ subgraph, file, line }) => ({
      subgraph,
      owners: file === undefined ? [] : ownersOf(file),
      file,
      line,
    })),
    operations: operations.map(({ operation }) => usingOperation(operation)),
    isUsageSufficient: window.isSufficient,
    usageReason: window.reason,
  };
}

function usingOperation({ name, identifiers, clients }: KnownOperation): UsingOperation {
  return { name, identifiers, clients };
}

/** An input that variables may hold counts as used, unless usage says which ones clients send. */
function isUsedBy({ facts, operation }: ReadOperation, coordinate: string, { kind }: FoundElement): boolean {
  if (kind === 'type') {
    return facts.types.has(coordinate) || facts.variableTypes.has(coordinate);
  }
  if (kind === 'field') {
    return facts.resolvedFields.has(coordinate);
  }
  const [typeName = ''] = coordinate.split('.');
  return (
    facts.written.has(coordinate) ||
    facts.returnedEnums.has(typeName) ||
    (facts.variableTypes.has(typeName) && (operation.sentInputs?.has(coordinate) ?? true))
  );
}
