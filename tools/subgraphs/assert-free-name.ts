import { globSync } from 'node:fs';

import { appNamePattern, appNameTakes } from '@meridian/local-stack/apps';
import { UsageError } from '@meridian/settings/command-line';

import { filesOf } from './follow-up.ts';

/** Names that other programs of a stack have. */
const reservedNames = new Set(['inspector', 'migrate', 'postgres', 'redis', 'stats', 'template']);

/** @throws {UsageError} for a name that a subgraph cannot have, or that is taken */
export function assertFreeName(name: string): void {
  if (!appNamePattern.test(name)) {
    throw new UsageError(`The name is ${JSON.stringify(name)}; it takes ${appNameTakes}`);
  }
  const [file] = filesOf(`apps/${name}`);
  if (file !== undefined) {
    throw new UsageError(`The name ${name} is taken: there is ${file}`);
  }
  const [folder] = globSync(`packages/*/${name}`);
  if (folder !== undefined || reservedNames.has(name)) {
    throw new UsageError(
      `The name ${name} is taken: ${folder === undefined ? 'another part of a stack has it' : `${folder} is @meridian/${name}`}`,
    );
  }
}
