import { queryHash } from '@meridian/manifest';
import { parse } from 'graphql';

import { canonicalText } from '../operation/canonical-text.ts';
import type { Manifest } from './manifest.ts';

/** True when a manifest has an operation whose canonical text has this key. */
export function isListed(manifest: Manifest, canonicalKey: string): boolean {
  const known = keysOf.get(manifest) ?? canonicalKeys(manifest);
  keysOf.set(manifest, known);
  return known.has(canonicalKey);
}

/** Computed at the first use: where identifiers are required, there is none. */
const keysOf = new WeakMap<Manifest, ReadonlySet<string>>();

function canonicalKeys({ operations }: Manifest): ReadonlySet<string> {
  return new Set(operations.flatMap(({ text }) => canonicalOrNothing(text)));
}

/** An operation that cannot be parsed never runs, so it is not listed. */
function canonicalOrNothing(text: string): string[] {
  try {
    return [queryHash(canonicalText(parse(text, { noLocation: true })))];
  } catch {
    return [];
  }
}
