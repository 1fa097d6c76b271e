import { parse } from 'yaml';

import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import { invalid } from '../declaration/key-type.ts';
import type { Place } from '../declaration/place.ts';

/** The sources of the values of variables. */
export interface VariableSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; throws if it cannot be read. */
  readonly readFile: (path: string) => string;
}

/** A variable that has no value. */
export interface MissingVariable {
  readonly at: Place;
  /** Its name in the file, such as `env.NAME`. */
  readonly reference: string;
}

/**
 * `${env.NAME}`, `${env.NAME:-default}`, `${file.path}`, or `$$`, an escaped `$`. It also matches an unterminated
 * variable, so a text with many of these is read once.
 */
const variable = /\$\$|\$\{([^}]*)(\}?)/g;

/**
 * Replaces variables by their values, in every text of the document. As in Apollo Router, a resulting text that is a
 * number, `true`, `false` or empty counts as that value. `invalid` replaces a text with a variable that has no value or
 * is reported as malformed.
 */
export function expandVariables(document: Mapping, at: Place, sources: VariableSources) {
  const missing: MissingVariable[] = [];
  return { document: expandMapping(document, at, { ...sources, missing }), missing };
}

interface Expansion extends VariableSources {
  readonly missing: MissingVariable[];
}

function expandMapping(mapping: Mapping, at: Place, expansion: Expansion): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([key, value]) => [key, expandValue(value, at.at(key), expansion)]),
  );
}

function expandValue(value: unknown, at: Place, expansion: Expansion): unknown {
  if (typeof value === 'string') {
    return expandText(value, at, expansion);
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => expandValue(item, at.at(index), expansion));
  }
  return isMapping(value) ? expandMapping(value, at, expansion) : value;
}

function expandText(text: string, at: Place, expansion: Expansion): unknown {
  let isReadable = true;
  const expanded = text.replace(variable, (whole, reference?: string, end?: string) => {
    if (end === '') {
      return whole;
    }
    const value = reference === undefined ? '$' : valueOf(reference, at, expansion);
    isReadable &&= value !== undefined;
    return value ?? '';
  });
  if (!isReadable) {
    return invalid;
  }
  return expanded === text ? text : asScalar(expanded);
}

function valueOf(reference: string, at: Place, { env, readFile, missing }: Expansion): string | undefined {
  const [, source, name, fallback] = /^(env|file)\.(.+?)(?::-(.*))?$/s.exec(reference) ?? [];
  if (source === undefined || name === undefined) {
    const [, meant] = /^(\w+)(?::-|$)/.exec(reference) ?? [];
    const remark = meant === undefined ? '' : `; write \${env.${meant}} for a variable of the environment`;
    at.fault(`holds a variable that is neither \${env.NAME} nor \${file.PATH}${remark}`);
    return undefined;
  }
  // An empty variable counts as absent: container tools set it for an unset one.
  const value = (source === 'env' ? env[name] : fileText(name, readFile)) || fallback;
  if (value === undefined) {
    missing.push({ at, reference: `${source}.${name}` });
  }
  return value;
}

function fileText(path: string, readFile: VariableSources['readFile']): string | undefined {
  try {
    return readFile(path).trimEnd();
  } catch {
    return undefined;
  }
}

/** The text as a YAML scalar, if that is a number, a boolean or null; else the text itself. */
function asScalar(text: string): unknown {
  if (!/^(?:|true|false|null|~|-?[\d.]+(?:e[+-]?\d+)?)$/i.test(text)) {
    return text;
  }
  const value: unknown = parse(text);
  return typeof value === 'string' ? text : value;
}
