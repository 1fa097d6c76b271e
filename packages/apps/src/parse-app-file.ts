import { integer, isRecord, oneOf } from '@meridian/values';
import type { ValueType } from '@meridian/values';
import { LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';

import { appKinds, appNamePattern } from './app-definition.ts';
import type { App } from './app-definition.ts';

/** The content of an app.yaml. */
export type AppFile = Pick<App, 'kind' | 'owner' | 'port' | 'adminPort' | 'calls'>;

/** A parsed file, or what is wrong with it. */
export type ParsedAppFile =
  | { readonly file: AppFile; readonly lineOf: (key: string) => number }
  | { readonly faults: readonly string[] };

const owner: ValueType<string> = {
  takes: 'a team or a person such as @meridian/reviews',
  schema: { type: 'string' },
  parse: (text) => (/^@[A-Za-z0-9][A-Za-z0-9-]*(?:\/[A-Za-z0-9][\w.-]*)?$/u.test(text) ? text : undefined),
  read: (value) => (typeof value === 'string' ? owner.parse(value) : undefined),
};

const calls: ValueType<readonly string[]> = {
  takes: 'a list of names of subgraphs, each once, such as [products]',
  schema: { type: 'array' },
  parse: () => undefined,
  read: (value) =>
    Array.isArray(value) && value.every(isAppName) && new Set(value).size === value.length
      ? value
      : undefined,
};

const port = integer({ minimum: 1, maximum: 65_535 });
const keys = { kind: oneOf(appKinds), owner, port, admin_port: port, calls };
const optional: ReadonlySet<string> = new Set(['calls']);

/** Parses the text of an app.yaml. Each fault begins with path and line. */
export function parseAppFile(path: string, text: string): ParsedAppFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (key: string): number => lineOfKey(document, key, lines);
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    const [message = ''] = syntaxError.message.split(/ at line|\n/u);
    return { faults: [`${path}:${lines.linePos(syntaxError.pos[0]).line} ${message}`] };
  }
  const content = contentOf(document);
  if (content === unresolvable) {
    return { faults: [`${path}:1 its aliases cannot be resolved`] };
  }
  if (!isRecord(content)) {
    return { faults: [`${path}:1 it takes the keys ${Object.keys(keys).join(', ')}`] };
  }
  const faults = Object.keys(content)
    .filter((key) => !Object.hasOwn(keys, key))
    .map((key) => `${path}:${lineOf(key)} ${key} is unknown; the keys are ${Object.keys(keys).join(', ')}`);
  const read = <Value>(key: string, type: ValueType<Value>): Value | undefined => {
    if (!Object.hasOwn(content, key)) {
      if (!optional.has(key)) {
        faults.push(`${path}:1 ${key} is missing; it takes ${type.takes}`);
      }
      return undefined;
    }
    const value = type.read(content[key]);
    if (value === undefined) {
      faults.push(`${path}:${lineOf(key)} ${key} is ${JSON.stringify(content[key])}; it takes ${type.takes}`);
    }
    return value;
  };
  const kind = read('kind', keys.kind);
  const team = read('owner', keys.owner);
  const ownPort = read('port', keys.port);
  const adminPort = read('admin_port', keys.admin_port);
  const called = read('calls', keys.calls);
  if (kind === 'gateway' && called !== undefined) {
    faults.push(`${path}:${lineOf('calls')} the gateway calls every subgraph, and takes no calls`);
  }
  const isWhole =
    kind !== undefined && team !== undefined && ownPort !== undefined && adminPort !== undefined;
  return isWhole && faults.length === 0
    ? { file: { kind, owner: team, port: ownPort, adminPort, calls: called ?? [] }, lineOf }
    : { faults };
}

const unresolvable = Symbol('unresolvable');

/** The value of a document. An alias may lack its anchor, stand within it, or multiply beyond the library's limit. */
function contentOf(document: Document): unknown {
  try {
    const content: unknown = document.toJS();
    JSON.stringify(content);
    return content;
  } catch {
    return unresolvable;
  }
}

function isAppName(value: unknown): value is string {
  return typeof value === 'string' && appNamePattern.test(value);
}

function lineOfKey(document: Document, key: string, lines: LineCounter): number {
  const value: unknown = document.get(key, true);
  const start = isRecord(value) && Array.isArray(value['range']) ? Number(value['range'][0]) : 0;
  return lines.linePos(start).line;
}
