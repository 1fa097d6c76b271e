import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind } from 'graphql';

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
