import { parse } from 'graphql';

import { canonicalText } from '../canonical-text.ts';
import type { Manifest } from './manifest.ts';

/** Whether a manifest has an operation of this canonical text. */
export function isListed(manifest: Manifest, canonical: string): boolean {
  const known = textsOf.get(manifest) ?? canonicalTexts(manifest);
  textsOf.set(manifest, known);
  return known.has(canonical);
}

/** Worked out when first asked for: with identifiers required, nobody asks. */
const textsOf = new WeakMap<Manifest, ReadonlySet<string>>();

function canonicalTexts({ operations }: Manifest): ReadonlySet<string> {
  return new Set(operations.flatMap(({ text }) => canonicalOrNothing(text)));
}

/** An operation that cannot be parsed can never run, so that it need not be listed either. */
function canonicalOrNothing(text: string): string[] {
  try {
    return [canonicalText(parse(text))];
  } catch {
    return [];
  }
}
