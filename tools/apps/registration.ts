import type { Member } from '@meridian/local-stack/apps';
import { isMap, isScalar, parse, parseDocument } from 'yaml';

/**
 * A list of apps in a file that others read as it is: Rover, Docker, GitHub, the gateway. Its functions are called with
 * the apps that it takes.
 */
export interface Registration<Listed extends Member = Member> {
  readonly file: string;
  /** The list within the file, for messages. */
  readonly place: string;
  /** The consequence of a missing entry, as the end of a sentence. */
  readonly otherwise: string;
  /** True for an app that has to be in the list. */
  takes(app: Member): app is Listed;
  /** The names of the apps in the list. */
  readonly namesIn: (text: string) => readonly string[];
  /** The lines of an app's entry. */
  linesOf(app: Listed): readonly string[];
  /** The difference of an app's entry from its app.yaml, as a sentence; undefined for none. */
  faultOf(text: string, app: Listed): string | undefined;
  /** Adds an app after the last one in the list. */
  add(text: string, app: Listed): string;
  /** @throws {Error} when the entry has to be removed by hand */
  readonly remove: (text: string, name: string) => string;
}

interface YamlList<Listed extends Member> extends Pick<
  Registration<Listed>,
  'file' | 'otherwise' | 'takes' | 'linesOf'
> {
  readonly path: MapPath;
  /** The app that a key is of; undefined for a key that is not an app's. Default: the key. */
  readonly nameOf?: (key: string) => string | undefined;
  readonly keyOf?: (name: string) => string;
  /** The difference of an entry from the app.yaml. Default: none. */
  readonly faultOf?: (entry: unknown, app: Listed) => string | undefined;
}

/** A map of a YAML file with an entry for each app. */
export function yamlRegistration<Listed extends Member>({
  path,
  nameOf = (key) => key,
  keyOf = (name) => name,
  faultOf = () => undefined,
  ...list
}: YamlList<Listed>): Registration<Listed> {
  const namesIn = (text: string): string[] => keysAt(text, path).flatMap((key) => nameOf(key) ?? []);
  return {
    ...list,
    place: path.join('.'),
    namesIn,
    faultOf(text, app) {
      const key = keyOf(app.name);
      const entry = path.reduce<unknown>(memberOf, parse(text, { merge: true }));
      const fault = faultOf(memberOf(entry, key), app);
      return fault === undefined ? undefined : `${[...path, key].join('.')} ${fault}`;
    },
    add(text, app) {
      const last = namesIn(text).at(-1);
      if (last === undefined) {
        throw new Error(`${list.file}: ${path.join('.')} has no entry to add another behind`);
      }
      return insertAfter(text, path, keyOf(last), list.linesOf(app));
    },
    remove: (text, name) => removeEntry(text, path, keyOf(name)),
  };
}

/** The member of an object; undefined where there is none, and of any other value. */
export function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** The way to a map in a YAML document, such as `['headers', 'subgraphs']`. */
type MapPath = readonly string[];

/** The keys of a map, in their order; merge keys are left out. */
function keysAt(text: string, path: MapPath): string[] {
  return [...positionsAt(text, path).keys()];
}

/** Inserts lines after the entry of a key. They are as deep as that key, and what surrounds them stays as it is. */
function insertAfter(text: string, path: MapPath, key: string, lines: readonly string[]): string {
  const { indent, end, isSpaced } = entryAt(text, path, key);
  const entry = lines.map((line) => `${indent}${line}\n`).join('');
  return text.slice(0, end) + (isSpaced ? '\n' : '') + entry + text.slice(end);
}

/**
 * Removes the entry of a key.
 *
 * @throws {Error} when it has an anchor, which other entries may refer to
 */
function removeEntry(text: string, path: MapPath, key: string): string {
  const { start, end, isSpaced } = entryAt(text, path, key);
  const entry = text.slice(start, end);
  const anchor = /(?<=: )&\w+/u.exec(entry)?.[0];
  if (anchor !== undefined) {
    throw new Error(`${[...path, key].join('.')} has the anchor ${anchor}: give that to another entry first`);
  }
  return text.slice(0, isSpaced ? start - 1 : start) + text.slice(end);
}

interface Entry {
  readonly indent: string;
  /** The offsets of its first line, and of the line after its last one. */
  readonly start: number;
  readonly end: number;
  /** True where an empty line is between it and the entry before. */
  readonly isSpaced: boolean;
}

/** The lines of an entry are its key's, and those below it that are deeper. */
function entryAt(text: string, path: MapPath, key: string): Entry {
  const position = positionsAt(text, path).get(key);
  if (position === undefined) {
    throw new Error(`There is no ${[...path, key].join('.')}`);
  }
  const start = text.lastIndexOf('\n', position) + 1;
  const indent = text.slice(start, position);
  const deeper = new RegExp(`[^\\n]*\\n(?:${indent}[ ]+[^\\n]*\\n|\\n+(?=${indent}[ ]+))*`, 'uy');
  deeper.lastIndex = start;
  const [entry = ''] = deeper.exec(text) ?? [];
  return { indent, start, end: start + entry.length, isSpaced: text.slice(0, start).endsWith('\n\n') };
}

/** Key → the offset at which it begins. */
function positionsAt(text: string, path: MapPath): ReadonlyMap<string, number> {
  const map = parseDocument(text, { merge: true }).getIn(path, true);
  if (!isMap(map)) {
    throw new Error(`There is no ${path.join('.')}`);
  }
  const entries = map.items.flatMap(({ key }) =>
    isScalar(key) && typeof key.value === 'string' && key.value !== '<<' && key.range
      ? [[key.value, key.range[0]] as const]
      : [],
  );
  return new Map(entries);
}
