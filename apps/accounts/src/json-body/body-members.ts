/** Reading the members of a request body; every fault is a `malformed-body` that names the member. */
import type { ExactJson } from '@meridian/exact-json';
import { problem, type Problem } from '@meridian/problem-details';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

export function malformedBody(detail: string): Problem {
  return problem('malformed-body', `Cannot read the body: ${detail}.`);
}

/** Throws unless each member of the body is one of `known`. Spec: PUT, "Unknown fields are rejected". */
export function refuseUnknownMembers(
  body: ReadonlyMap<string, ExactJson>,
  known: readonly string[],
  path = '',
): void {
  for (const name of body.keys()) {
    if (!known.includes(name)) throw malformedBody(`${path}${JSON.stringify(name)} is not a field of it`);
  }
}

export function memberOf(body: ReadonlyMap<string, ExactJson>, name: string, path = ''): ExactJson {
  const value = body.get(name);
  if (value === undefined) throw malformedBody(`${path}${name} is missing`);
  return value;
}

/** A JSON integer from -2^63 to 2^63-1, digit for digit. */
export function int64Of(value: ExactJson, path: string): bigint {
  if (typeof value !== 'bigint') throw malformedBody(`${path} is not an integer`);
  if (value < int64Min || value > int64Max) throw malformedBody(`${path} is outside the 64-bit range`);
  return value;
}
