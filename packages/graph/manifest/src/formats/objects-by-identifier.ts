import { GraphQLError, Kind, parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { isRecord } from '@meridian/settings/values';

import type { ListedOperation } from '../listed-operation.ts';

type Fail = (fault: string) => never;

/**
 * Reads `{"<identifier>": "<text>"}`, as Relay, graphql-codegen and gql.tada write it. Any JSON object of texts has
 * this shape, so each text must be a document with one operation, whose name it gets.
 */
export function readTextsByIdentifier(
  entries: readonly (readonly [id: string, text: unknown])[],
  fail: Fail,
): readonly ListedOperation[] {
  return entries.map(([id, text]) =>
    id !== '' && typeof text === 'string'
      ? { id, name: nameOfOperation(id, text, fail), text, clientName: undefined }
      : fail(`the operation ${JSON.stringify(id)} lacks an identifier or a text`),
  );
}

function nameOfOperation(id: string, text: string, fail: Fail): string {
  const operations = parseDocument(id, text, fail).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation] = operations;
  return operation === undefined || operations.length > 1
    ? fail(`the document ${JSON.stringify(id)} has ${operations.length} operations, and takes one`)
    : (operation.name?.value ?? '');
}

function parseDocument(id: string, text: string, fail: Fail): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) {
      return fail(`the text ${JSON.stringify(id)} is not a GraphQL document: ${error.message}`);
    }
    throw error;
  }
}

/**
 * Reads `{"<identifier>": {"name", "source"}}`, the operationOutput of Apollo Kotlin and of Apollo iOS before its
 * version 1.
 */
export function readOperationOutput(
  entries: readonly (readonly [id: string, descriptor: unknown])[],
  fail: (fault: string) => never,
): readonly ListedOperation[] {
  return entries.map(([id, descriptor]) => {
    const { name, source } = isRecord(descriptor) ? descriptor : {};
    return id !== '' && typeof name === 'string' && typeof source === 'string'
      ? { id, name, text: source, clientName: undefined }
      : fail(`the operation ${JSON.stringify(id)} lacks an identifier, a name or a source`);
  });
}
