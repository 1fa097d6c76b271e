import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Registration } from '../apps/registration.ts';

/** The files that list apps, with their texts after a change of each list; those that stay as they are are left out. */
export function changedFiles(
  checkout: string,
  registrations: readonly Registration[],
  change: (registration: Registration, text: string) => string,
): ReadonlyMap<string, string> {
  const before = new Map(
    registrations.map(({ file }) => [file, readFileSync(join(checkout, file), 'utf8')] as const),
  );
  const after = new Map(before);
  for (const registration of registrations) {
    after.set(registration.file, change(registration, after.get(registration.file) ?? ''));
  }
  return new Map([...after].filter(([file, text]) => text !== before.get(file)));
}
