import type { JsonSchema } from '../declaration/json-schema.ts';
import { keysIn, pathsOf } from './keys-in.ts';
import type { Place } from '../declaration/place.ts';
import { nearestKeyRemarks } from './nearest-key.ts';
import { mayProtect, routerOnlyKey } from './router-only-keys.ts';

export interface UnknownKeysOptions {
  /** True when a key of Apollo Router that this gateway does not have is ignored, unless it may protect something. */
  readonly ignoresUnsupported: boolean;
  readonly mode: 'development' | 'production';
}

/** The keys that the schema lacks, and that do not stop the start: their paths as written. */
export interface IgnoredKeys {
  /** Without any difference for clients. */
  readonly withoutEffect: readonly string[];
  /** Not supported, and ignored because the operator asks for that. */
  readonly unsupported: readonly string[];
}

/**
 * Reports every key that the schema lacks: as a key of Apollo Router, or with the nearest known key. Returns those that
 * are ignored.
 */
export function reportUnknownKeys(
  document: unknown,
  schema: JsonSchema,
  root: Place,
  { ignoresUnsupported, mode }: UnknownKeysOptions,
): IgnoredKeys {
  const remarkOn = nearestKeyRemarks(pathsOf(schema));
  const withoutEffect: string[] = [];
  const unsupported: string[] = [];
  for (const { at, pattern, value, schema: declared } of keysIn(document, schema, root)) {
    const routerOnly = declared === undefined ? routerOnlyKey(pattern, value) : undefined;
    if (declared !== undefined || (routerOnly !== undefined && 'isAsHere' in routerOnly)) {
      continue;
    }
    if (routerOnly === undefined) {
      at.fault(`is unknown; ${remarkOn(pattern)}`);
    } else if ('noEffect' in routerOnly) {
      withoutEffect.push(at.written);
    } else if (ignoresUnsupported && !mayProtect(pattern, mode)) {
      unsupported.push(at.written);
    } else {
      at.fault(`Apollo Router has this key, and this gateway does not: ${routerOnly.instead}`);
    }
  }
  return { withoutEffect, unsupported };
}
