import { parse } from 'graphql';

import { canonicalText } from '../operation/canonical-text.ts';
import { queryHash } from '../operation/operation-source.ts';
import type { Manifest } from './manifest.ts';

/** True when a manifest has an operation whose canonical text has this key. */
export function isListed(manifest: Manifest, canonicalKey: string): boolean {
  const known = keysOf.get(manifest) ?? canonicalKeys(manifest);
  keysOf.set(manifest, known);
  return known.has(canonicalKey);
}

/** Worked out when first asked for: with identifiers required, nobody asks. */
const keysOf = new WeakMap<Manifest, ReadonlySet<string>>();

function canonicalKeys({ operations }: Manifest): ReadonlySet<string> {
  return new Set(operations.flatMap(({ text }) => canonicalOrNothing(text)));
}

/** An operation that cannot be parsed can never run, so that it need not be listed either. */
function canonicalOrNothing(text: string): string[] {
  try {
    return [queryHash(canonicalText(parse(text, { noLocation: true })))];
  } catch {
    return [];
  }
}
