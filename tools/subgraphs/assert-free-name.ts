import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import { appNamePattern, appNameTakes } from '@meridian/local-stack/apps';
import { UsageError } from '@meridian/settings/command-line';
import { parseSync } from 'oxc-parser';

import { filesOf } from './follow-up.ts';
import { template } from './render-template.ts';
import type { TypeWords } from './type-words.ts';

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

/** The forms of a type's name that PostgreSQL does not take for a table. */
const reservedTables = new Set(['references']);

/** @throws {UsageError} for a type whose forms mean something else in the template's code, in JavaScript or in SQL */
export function assertFreeWords(checkout: string, { type, one, many }: TypeWords): void {
  const used = namesOfTemplate(join(checkout, template));
  const isUsed = [type, one, many].some((word) => used.has(word) || isReserved(word));
  if (isUsed || reservedTables.has(many)) {
    throw new UsageError(
      `--type is ${JSON.stringify(type)}, a word with a meaning in the code; take another one`,
    );
  }
}

/** True for a word that cannot name a constant in an ES module. */
function isReserved(word: string): boolean {
  try {
    void new Script(`'use strict'; async () => { const ${word} = 1; };`);
    return false;
  } catch {
    return true;
  }
}

/** The identifiers of the template's code that stay in a copy, and the names of its files and folders. */
function namesOfTemplate(folder: string): Set<string> {
  const files = globSync('{src,test}/**/*.ts', { cwd: folder });
  const names = new Set(files.flatMap((file) => file.split(/[/.]/u)));
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) {
      return;
    }
    const { type, name, computed, shorthand }: Readonly<Record<string, unknown>> = { ...node };
    if (type === 'Identifier' && typeof name === 'string') {
      names.add(name);
    }
    for (const [key, child] of Object.entries(node)) {
      // A member of an object, such as `.name` or `name:`, clashes with nothing.
      if (!((key === 'property' || key === 'key') && computed === false && shorthand !== true)) {
        collect(child);
      }
    }
  };
  for (const file of files) {
    collect(parseSync(file, readFileSync(join(folder, file), 'utf8')).program);
  }
  return new Set([...names].filter((name) => !/spare-?part|product/iu.test(name)));
}
