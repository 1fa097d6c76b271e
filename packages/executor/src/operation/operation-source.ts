import type { DocumentNode, OperationDefinitionNode } from 'graphql';

/** An operation as the client wrote it. */
export interface OperationSource {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}
