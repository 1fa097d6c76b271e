import { integer, isRecord, oneOf, textType, token } from '@meridian/settings/values';
import type { ValueType } from '@meridian/settings/values';
import { LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';

import { appKinds, appNamePattern } from './app-definition.ts';
import type { App, ExternalSubgraph } from './app-definition.ts';

/** The content of the app.yaml of an app that runs here. */
export type AppFile = Pick<App, 'kind' | 'owner' | 'port' | 'adminPort' | 'calls'>;
/** The content of the app.yaml of one that runs elsewhere. */
export type ExternalFile = Omit<ExternalSubgraph, 'name'>;

/** A parsed file, or what is wrong with it. */
export type ParsedAppFile =
  | { readonly file: AppFile | ExternalFile; readonly lineOf: (key: string) => number }
  | { readonly faults: readonly string[] };

export const ownerType = textType('a team or a person such as @meridian/reviews', (text) =>
  /^@[A-Za-z0-9][A-Za-z0-9-]*(?:\/[A-Za-z0-9][\w.-]*)?$/u.test(text) ? text : undefined,
);

export const urlType = textType('an http:// or https:// URL, without credentials', (text) => {
  const { protocol = '', username = '', password = '' } = URL.parse(text) ?? {};
  const isPlain = !/\s/u.test(text) && username === '' && password === '';
  return /^https?:$/u.test(protocol) && isPlain ? text : undefined;
});

export const headerType = textType(
  'the name of a header field in lower case, such as authorization',
  (text) => (token.test(text) && text === text.toLowerCase() ? text : undefined),
);

const calls = listType('a list of names of subgraphs, each once, such as [products]', (name) =>
  appNamePattern.test(name),
);
const headers = listType(
  'a list of names of header fields in lower case, each once, such as [authorization]',
  (name) => headerType.read(name) !== undefined,
);

const kind = oneOf([...appKinds, 'external']);
const port = integer({ minimum: 1, maximum: 65_535 });
const keysOfApp = { kind, owner: ownerType, port, admin_port: port, calls };
const keysOfExternal = { kind, owner: ownerType, url: urlType, headers };
const optional: ReadonlySet<string> = new Set(['calls', 'headers']);

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
  const keys = Object.keys(isRecord(content) && content['kind'] === 'external' ? keysOfExternal : keysOfApp);
  if (!isRecord(content)) {
    return { faults: [`${path}:1 it takes the keys ${keys.join(', ')}`] };
  }
  const faults = Object.keys(content)
    .filter((key) => !keys.includes(key))
    .map((key) => `${path}:${lineOf(key)} ${key} is unknown; the keys are ${keys.join(', ')}`);
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
  const file = content['kind'] === 'external' ? externalFileOf(read) : appFileOf(read);
  if (file?.kind === 'gateway' && Object.hasOwn(content, 'calls')) {
    faults.push(`${path}:${lineOf('calls')} the gateway calls every subgraph, and takes no calls`);
  }
  return file !== undefined && faults.length === 0 ? { file, lineOf } : { faults };
}

/** Reads the value of a key; undefined after it has noted a fault, and for an optional key that is absent. */
type ReadKey = <Value>(key: string, type: ValueType<Value>) => Value | undefined;

function appFileOf(read: ReadKey): AppFile | undefined {
  const kind = read('kind', keysOfApp.kind);
  const team = read('owner', ownerType);
  const ownPort = read('port', port);
  const adminPort = read('admin_port', port);
  const called = read('calls', calls) ?? [];
  return kind === undefined ||
    kind === 'external' ||
    team === undefined ||
    ownPort === undefined ||
    adminPort === undefined
    ? undefined
    : { kind, owner: team, port: ownPort, adminPort, calls: called };
}

function externalFileOf(read: ReadKey): ExternalFile | undefined {
  const team = read('owner', ownerType);
  const address = read('url', urlType);
  const names = read('headers', headers) ?? [];
  return team === undefined || address === undefined
    ? undefined
    : { kind: 'external', owner: team, url: address, headers: names };
}

/** A list of different texts. */
function listType(takes: string, isItem: (text: string) => boolean): ValueType<readonly string[]> {
  const isRead = (value: unknown): value is string[] =>
    Array.isArray(value) &&
    value.every((item) => typeof item === 'string' && isItem(item)) &&
    new Set(value).size === value.length;
  return {
    takes,
    schema: { type: 'array' },
    parse: () => undefined,
    read: (value) => (isRead(value) ? value : undefined),
  };
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

function lineOfKey(document: Document, key: string, lines: LineCounter): number {
  const value: unknown = document.get(key, true);
  const start = isRecord(value) && Array.isArray(value['range']) ? Number(value['range'][0]) : 0;
  return lines.linePos(start).line;
}
