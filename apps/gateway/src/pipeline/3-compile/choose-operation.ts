import { fragmentsByName } from '@meridian/executor';
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import { Kind, visit } from 'graphql';

import { requestError } from '../../errors/request-error.ts';
import type { OperationRules } from './operation-rules.ts';

/**
 * The operation of a document that a request means.
 *
 * Spec: Graph endpoint, "Operation name".
 *
 * @throws {RequestError} when there is no such operation, none at all, or one without a required name
 */
export function chooseOperation(
  document: DocumentNode,
  operationName: string | undefined,
  { meridian }: Pick<OperationRules, 'meridian'>,
): OperationDefinitionNode {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation, ...others] =
    operationName === undefined
      ? operations
      : operations.filter(({ name }) => name?.value === operationName).slice(0, 1);
  if (operation === undefined) {
    throw operationName === undefined
      ? requestError('GRAPHQL_VALIDATION_FAILED', 'The document has no operation')
      : requestError(
          'GRAPHQL_UNKNOWN_OPERATION_NAME',
          `The document has no operation named "${operationName}"`,
        );
  }
  if (others.length > 0) {
    throw requestError(
      'GRAPHQL_UNKNOWN_OPERATION_NAME',
      'The document has several operations: send the name of the one to run',
    );
  }
  if (meridian.operations.require_name && operation.name === undefined) {
    throw requestError('ANONYMOUS_OPERATION', 'The operation must have a name');
  }
  return operation;
}

/**
 * The document reduced to one operation: without operations of other names, and without the fragments that
 * only they spread. Unused fragments remain, and so do a second operation of the same name and one without a
 * name, because validation reports them.
 *
 * @throws {RequestError} GRAPHQL_VALIDATION_FAILED for too many operations or fragments
 */
export function onlyOperation(
  document: DocumentNode,
  chosen: OperationDefinitionNode,
  limits: Pick<OperationRules['meridian']['limits'], 'max_fragments' | 'max_operations'>,
): DocumentNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  rejectMore('operations', operations.length, limits.max_operations);
  rejectMore('fragments', fragments.length, limits.max_fragments);
  if (operations.length === 1) {
    return document;
  }

  const byName = fragmentsByName(document);
  const isOther = (definition: DocumentNode['definitions'][number]): boolean =>
    definition.kind === Kind.OPERATION_DEFINITION &&
    definition.name !== undefined &&
    definition.name.value !== chosen.name?.value;
  const ofOthers = reachable(document.definitions.filter(isOther), byName);
  const own = reachable(
    operations.filter((operation) => !isOther(operation)),
    byName,
  );
  return {
    ...document,
    definitions: document.definitions.filter((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION
        ? own.has(definition.name.value) || !ofOthers.has(definition.name.value)
        : !isOther(definition),
    ),
  };
}

function rejectMore(what: string, count: number, limit: number): void {
  if (count > limit) {
    throw requestError('GRAPHQL_VALIDATION_FAILED', `The document has more than ${limit} ${what}`);
  }
}

/** The names of the fragments that definitions spread, directly or through other fragments. Each is walked once. */
function reachable(
  definitions: readonly DocumentNode['definitions'][number][],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = [...definitions];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    visit(next, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment !== undefined && !names.has(name.value)) {
          names.add(name.value);
          waiting.push(fragment);
        }
      },
    });
  }
  return names;
}
