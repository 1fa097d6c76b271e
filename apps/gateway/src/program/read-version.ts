import { readFileSync } from 'node:fs';

import { packageFile } from '../default-files.ts';

/** The version of the package that this program is in. */
export function readVersion(): string {
  const { version = '' }: { version?: string } = JSON.parse(readFileSync(packageFile, 'utf8'));
  return version;
}
