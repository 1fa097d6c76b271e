import { isRecord } from '@meridian/settings/values';

import type { ListedOperation } from '../listed-operation.ts';

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
