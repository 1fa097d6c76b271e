import { parseDocument } from 'yaml';

import type { Mapping } from './kinds/mapping.ts';
import { isMapping } from './kinds/mapping.ts';

/** A file of the configuration. */
export interface ConfigFile {
  /** What messages call it. */
  readonly name: string;
  readonly text: string;
}

/** The map that the file holds; an empty file holds an empty one. Adds to `faults` where it is no YAML, or no map. */
export function parseYaml({ name, text }: ConfigFile, faults: string[]): Mapping {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    // The first line says what and where; the others draw the place, which may show a secret.
    faults.push(`${name}: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
    return {};
  }
  const value: unknown = document.toJS();
  if (value === null || isMapping(value)) {
    return value ?? {};
  }
  faults.push(`${name}: holds no map`);
  return {};
}
