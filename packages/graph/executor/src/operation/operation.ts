import type { DocumentNode, OperationDefinitionNode } from 'graphql';

/** An operation of a client: valid for the API schema. */
export interface Operation {
  /** May hold several operations, and fragments. */
  readonly document: DocumentNode;
  /** The name of the operation to run; undefined if the document has only one. */
  readonly name?: string | undefined;
}

/** An operation as the client wrote it. */
export interface ParsedOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

/**
 * An operation that this executor cannot run. The message is made only from what the client sent, so it is safe to
 * show.
 */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}
