import { isRecord } from '@meridian/values';

import type { ListedOperation } from '../listed-operation.ts';

/** Reads Apollo's format, version 1. */
export function readApolloManifest(
  { format, version, operations }: Readonly<Record<string, unknown>>,
  fail: (fault: string) => never,
): readonly ListedOperation[] {
  if (format !== 'apollo-persisted-query-manifest' || version !== 1) {
    return fail(
      `its format is not apollo-persisted-query-manifest, version 1: it says ${JSON.stringify({ format, version })}`,
    );
  }
  if (!Array.isArray(operations)) {
    return fail('it has no list of operations');
  }
  return operations.map((operation: unknown, index) => {
    const { id, name, body, clientName } = isRecord(operation) ? operation : {};
    if (
      typeof id === 'string' &&
      id !== '' &&
      typeof name === 'string' &&
      typeof body === 'string' &&
      (clientName === undefined || clientName === null || typeof clientName === 'string')
    ) {
      return { id, name, text: body, clientName: clientName ?? undefined };
    }
    return fail(`operations[${index}] lacks an id, a name or a body`);
  });
}
