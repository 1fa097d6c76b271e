import type { DocumentNode, OperationDefinitionNode } from 'graphql';

/** An operation as the client wrote it. */
export interface ParsedOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}
