import { isRecord, printable } from '@meridian/settings/values';

import type { ListedOperation } from './listed-operation.ts';
import { ManifestError } from './manifest-error.ts';
import { operationKey } from './listed-operation.ts';
import { readApolloManifest } from './formats/apollo-manifest.ts';
import { readOperationOutput, readTextsByIdentifier } from './formats/objects-by-identifier.ts';

/**
 * Parses a manifest in any known format, which its shape determines.
 *
 * @param file its name in messages
 * @throws {ManifestError}
 */
export function parseManifest(file: string, text: string): readonly ListedOperation[] {
  const fail = (fault: string): never => {
    throw new ManifestError(file, fault);
  };
  const operations = readerFor(parseJson(text, fail), fail)();
  const known = new Map<string, string>();
  for (const { id, name, clientName, text: body, app } of operations) {
    if (!operationName.test(name)) {
      fail(`the operation name ${printable(JSON.stringify(name.slice(0, 100)))} is not a name of GraphQL`);
    }
    for (const text of [clientName ?? '', app?.name ?? '', ...(app?.versions ?? [])]) {
      if (printable(text) !== text) {
        fail(`the name or version ${printable(JSON.stringify(text.slice(0, 100)))} has control characters`);
      }
    }
    const key = operationKey(id, clientName);
    if ((known.get(key) ?? body) !== body) {
      fail(`the identifier ${JSON.stringify(id)} belongs to two operations`);
    }
    known.set(key, body);
  }
  return operations;
}

/** Empty where the text has none: Relay and others name operations by their text alone. */
const operationName = /^(?:[_A-Za-z][_0-9A-Za-z]*)?$/;

type Fail = (fault: string) => never;

function readerFor(value: unknown, fail: Fail): () => readonly ListedOperation[] {
  if (!isRecord(value)) {
    return fail(`it holds ${kindOf(value)}, and a manifest is an object`);
  }
  if (Object.hasOwn(value, 'format') || Object.hasOwn(value, 'operations')) {
    return () => readApolloManifest(value, fail);
  }
  const entries = Object.entries(value);
  const [first] = entries;
  if (first === undefined) {
    return fail('it is an empty object, which lists no operations in any format');
  }
  const [firstKey, firstValue] = first;
  if (typeof firstValue === 'string') {
    return () => readTextsByIdentifier(entries, fail);
  }
  if (isRecord(firstValue) && Object.hasOwn(firstValue, 'source')) {
    return () => readOperationOutput(entries, fail);
  }
  return fail(
    `its format is not known: ${JSON.stringify(firstKey)} is ${kindOf(firstValue)}. A manifest is apollo-persisted-query-manifest, or an object of {"<identifier>": "<text>"} (Relay, graphql-codegen) or {"<identifier>": {"name", "source"}} (Apollo Kotlin's operationOutput)`,
  );
}

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail('it is not valid JSON');
  }
}

function kindOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return isRecord(value) ? `an object of ${Object.keys(value).slice(0, 5).join(', ')}` : `a ${typeof value}`;
}
