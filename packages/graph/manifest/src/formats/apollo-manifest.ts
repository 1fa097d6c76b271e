import { isRecord } from '@meridian/settings/values';

import type { ListedOperation, ManifestApp } from '../listed-operation.ts';

/**
 * Reads Apollo's format, version 1. It may name its app, which other programs ignore: `"app": {"name", "versions"}`.
 */
export function readApolloManifest(
  { format, version, app: declared, operations }: Readonly<Record<string, unknown>>,
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
  const app = declared === undefined ? undefined : readApp(declared, fail);
  return operations.map((operation: unknown, index) => {
    const { id, name, body, clientName } = isRecord(operation) ? operation : {};
    if (
      typeof id === 'string' &&
      id !== '' &&
      typeof name === 'string' &&
      typeof body === 'string' &&
      (clientName === undefined || clientName === null || typeof clientName === 'string')
    ) {
      return { id, name, text: body, clientName: clientName ?? undefined, app };
    }
    return fail(`operations[${index}] lacks an id, a name or a body`);
  });
}

function readApp(value: unknown, fail: (fault: string) => never): ManifestApp {
  const { name, versions = [] } = isRecord(value) ? value : {};
  return typeof name === 'string' &&
    name !== '' &&
    Array.isArray(versions) &&
    versions.every((version) => typeof version === 'string')
    ? { name, versions }
    : fail('its app is not {"name": "<name>", "versions": ["<version>"]}');
}
