import type { DocumentNode, GraphQLSchema } from 'graphql';
import { GraphQLError, parse } from 'graphql';

import type { KnownOperation } from './known-operation.ts';
import type { OperationFacts } from './operation-facts.ts';
import { factsOfFields, readFacts } from './operation-facts.ts';
import { isValidOperation } from './validate-operation.ts';

/** A known operation, read against the graph that it ran over. */
export interface ReadOperation {
  readonly operation: KnownOperation;
  readonly facts: OperationFacts;
  /** Absent where usage was recorded without the text. */
  readonly document: DocumentNode | undefined;
}

/**
 * Reads an operation. Undefined for one that does not run over this schema: no change can break it.
 *
 * An operation without a text counts as valid.
 */
export function readOperation(schema: GraphQLSchema, operation: KnownOperation): ReadOperation | undefined {
  if (operation.text === undefined) {
    return { operation, facts: factsOfFields(operation.recordedFields ?? []), document: undefined };
  }
  const document = parseOrUndefined(operation.text);
  return document === undefined || !isValidOperation(schema, document)
    ? undefined
    : { operation, facts: readFacts(schema, document), document };
}

function parseOrUndefined(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) {
      return undefined;
    }
    throw error;
  }
}
