import { ExactNumber } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';

import { cannotStream, tooManyFiles } from './upload-errors.ts';

/**
 * Puts a placeholder at each place of a file in a GraphQL request: a required variable cannot be null, as clients send
 * it.
 *
 * GraphQL multipart request specification, "File map".
 *
 * @param operations the request, which is changed
 * @param map the paths of each file, by the name of its part, unchecked
 * @returns the names, in order
 * @throws {RequestError}
 */
export function placeFiles(
  operations: unknown,
  map: unknown,
  { maxFiles, placeholder }: { readonly maxFiles: number; readonly placeholder: (file: number) => string },
): readonly string[] {
  if (Array.isArray(operations)) {
    throw cannotStream('Batched requests are not supported for file uploads');
  }
  if (!isRecord(map) || map instanceof ExactNumber) {
    throw cannotStream('The field `map` must be a JSON object of lists of paths');
  }
  const files = Object.entries(map);
  if (files.length > maxFiles) {
    throw tooManyFiles(maxFiles);
  }
  for (const [file, [, paths]] of files.entries()) {
    if (!Array.isArray(paths) || !paths.every((path) => typeof path === 'string')) {
      throw cannotStream('The field `map` must be a JSON object of lists of paths');
    }
    for (const path of paths) {
      replaceAt(operations, path, placeholder(file));
    }
  }
  return files.map(([name]) => name);
}

function replaceAt(operations: unknown, path: string, value: string): void {
  const [start = '', ...names] = path.split('.');
  if (/^\d+$/.test(start)) {
    throw cannotStream('Batched requests are not supported for file uploads');
  }
  if (start !== 'variables' || names.length === 0) {
    throw cannotStream(
      `Invalid path '${path}' in the field \`map\`: it must start with 'variables.' and a name`,
    );
  }
  const last = names.pop() ?? '';
  let parent = memberOf(operations, start);
  for (const name of names) {
    parent = memberOf(parent, name);
  }
  if (memberOf(parent, last) === undefined || typeof parent !== 'object' || parent === null) {
    throw cannotStream(`Invalid path '${path}' in the field \`map\`: \`operations\` has no such value`);
  }
  Object.assign(parent, { [last]: value });
}

/** A member that JSON made, never one of a prototype; undefined where there is none. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber || name === '__proto__') {
    return undefined;
  }
  const isMember = Object.hasOwn(value, name) && (!Array.isArray(value) || name !== 'length');
  return isMember ? (Reflect.get(value, name) as unknown) : undefined;
}
