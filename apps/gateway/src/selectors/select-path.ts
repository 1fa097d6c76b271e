import type { BodyPath } from '@meridian/router-config';
import { everyMember } from '@meridian/router-config';

/** The most values that a path with `*` may lead to. */
const maxFound = 100;

/** The value at a path. With `*` in it, all values that it leads to; undefined where it leads to none. */
export function selectPath(value: unknown, path: BodyPath): unknown {
  let found: readonly unknown[] = [value];
  for (const step of path) {
    found = found.flatMap((held) => membersAt(held, step)).slice(0, maxFound);
  }
  return path.includes(everyMember) ? (found.length === 0 ? undefined : found) : found[0];
}

function membersAt(value: unknown, step: BodyPath[number]): readonly unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (step === everyMember) {
    return Object.values(value);
  }
  if (Array.isArray(value)) {
    return typeof step === 'number' && step < value.length ? [value[step]] : [];
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by a name that it has
  return Object.hasOwn(value, step) ? [(value as Readonly<Record<PropertyKey, unknown>>)[step]] : [];
}
