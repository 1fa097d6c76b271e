import type { Caller } from '@meridian/auth';

import type { ExecutableOperation } from '../operation/executable-operation.ts';
import type { GraphqlRequest } from '../operation/graphql-request.ts';

/** The values that rules for header fields may read. */
export interface HeaderSource {
  readonly operation: Pick<ExecutableOperation, 'name' | 'document'>;
  readonly run: { readonly request: GraphqlRequest; readonly caller: Caller | undefined };
}
