import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** A regular expression as it is written. */
export interface Regex {
  readonly pattern: string;
  readonly flags: string;
}

/** The fault of an expression, or undefined where it has none. */
export type FindFault = (regex: Regex) => string | undefined;

/**
 * Keeps the verdicts of an analysis in a file: an expression is analysed once on a machine. Those that are no longer
 * asked for are dropped. Another version of the analyser begins anew, and so does a file that cannot be read.
 */
export function keepVerdicts(file: string, findFault: FindFault): { findFault: FindFault; save(): void } {
  const before = readVerdicts(file);
  const now = new Map<string, string | null>();
  return {
    findFault(regex) {
      const key = keyOf(regex);
      const known = now.has(key) ? now.get(key) : before.get(key);
      const fault = known === undefined ? findFault(regex) : (known ?? undefined);
      now.set(key, fault ?? null);
      return fault;
    },
    save() {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(Object.fromEntries(now)));
    },
  };
}

const { version }: { readonly version: string } = createRequire(import.meta.url)('recheck/package.json');

function keyOf({ pattern, flags }: Regex): string {
  return createHash('sha256')
    .update(JSON.stringify([version, pattern, flags]))
    .digest('base64url');
}

function readVerdicts(file: string): ReadonlyMap<string, string | null> {
  try {
    const verdicts: Readonly<Record<string, string | null>> = JSON.parse(readFileSync(file, 'utf8'));
    return new Map(Object.entries(verdicts));
  } catch {
    return new Map();
  }
}
