import type { EarlierName, JsonSchema, KeyFacts } from '../declaration/json-schema.ts';
import { facts, namedMembers, partOf } from '../declaration/json-schema.ts';
import type { Mapping, MutableMapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import type { PathPart } from '../declaration/place.ts';
import { showPath } from '../declaration/place.ts';
import { routerOnlyKeys } from './router-only-keys.ts';

interface Move {
  /** `*` is a name that the operator chooses, `[]` an item of a list; the same in `to`. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The value in its current notation; undefined for a value that does not move. */
  readonly as: (value: unknown) => unknown;
  /** Both places are valid; no note suggests a change. */
  readonly isEquallyGood: boolean;
}

/** The moves that a schema's keys name, then the moves that the section itself names. */
function movesIn(schema: JsonSchema, path: readonly string[] = []): Move[] {
  const named = namedMembers(schema);
  const items = partOf(schema, 'items');
  const members = Object.entries({
    ...partOf(schema, 'properties'),
    ...(named && { '*': named }),
    ...(items && { '[]': items }),
  });
  return [
    ...members.flatMap(([name, member]) => movesIn(member, [...path, name])),
    ...movesTo(path, schema[facts]),
  ];
}

function movesTo(
  to: readonly string[],
  { formerly = [], since = {} }: Pick<KeyFacts, 'formerly' | 'since'> = {},
): Move[] {
  const move = (other: EarlierName, isEquallyGood: boolean): Move => {
    const [name, as = (value: unknown) => value] = typeof other === 'string' ? [other] : other;
    const section = to.slice(0, -1);
    const from = name.includes('.') ? name.split('.') : name === '' ? section : [...section, name];
    return { from, to, as, isEquallyGood };
  };
  return [
    ...formerly.map((name) => move(name, false)),
    ...Object.values(since).map((name) => move(name, true)),
  ];
}

/**
 * Moves keys from the places of other versions of Apollo Router to current ones; adds a fault for a key in both places.
 *
 * @returns the document, one sentence for each key in an earlier place, and the paths of moved keys and of the keys below
 * them, with the paths that the author wrote
 */
export function toCurrentPlaces(written: Mapping, schema: JsonSchema, faults: string[]) {
  const document: MutableMapping = structuredClone(written);
  const notes: string[] = [];
  const writtenAs = new Map<string, string>();
  const moves = [
    ...movesIn(schema),
    ...routerOnlyKeys.flatMap((row) => row.keys.flatMap((path) => movesTo(path.split('.'), row))),
  ];
  // Twice, because a moved section may hold earlier names.
  for (const move of [...moves, ...moves]) {
    for (const from of placesIn(document, move.from)) {
      const value = move.as(valueAt(document, from));
      if (value !== undefined) {
        const to = withNames(move.to, namesIn(from, move.from));
        remove(document, from);
        put(document, to, value, { from: showPath(from), faults, writtenAs });
        removeEmpty(document, from);
        if (!move.isEquallyGood) {
          notes.push(`${showPath(from)} is an earlier place of ${showPath(to)}`);
        }
      }
    }
  }
  renameExecutor(document, notes);
  makePolicyOfOrigins(document, notes, writtenAs);
  return { document, notes, writtenAs };
}

/** The places in a document that a path with `*` and `[]` means. */
function placesIn(
  value: unknown,
  [key, ...rest]: readonly string[],
  at: readonly PathPart[] = [],
): (readonly PathPart[])[] {
  if (key === undefined) {
    return value === undefined ? [] : [at];
  }
  const names = key === '*' || key === '[]' ? keysOf(value, key) : [key];
  return names.flatMap((name) => placesIn(valueAt(value, [name]), rest, [...at, name]));
}

function keysOf(value: unknown, wildcard: '*' | '[]'): PathPart[] {
  if (Array.isArray(value)) {
    return wildcard === '[]' ? [...value.keys()] : [];
  }
  return wildcard === '*' && isMapping(value) ? Object.keys(value) : [];
}

/** The names and indexes in place of `*` and `[]`. */
function namesIn(place: readonly PathPart[], pattern: readonly string[]): PathPart[] {
  return place.filter((_part, index) => isWildcard(pattern[index]));
}

function withNames(pattern: readonly string[], names: readonly PathPart[]): PathPart[] {
  return pattern.map((key, index) =>
    isWildcard(key) ? (names[pattern.slice(0, index).filter(isWildcard).length] ?? key) : key,
  );
}

function isWildcard(key: string | undefined): boolean {
  return key === '*' || key === '[]';
}

/** Removes the value at a path. */
function remove(document: Container, path: readonly PathPart[]): void {
  const parent = valueAt(document, path.slice(0, -1));
  if (isContainer(parent)) {
    delete parent[path.at(-1) ?? ''];
  }
}

/** Removes each map along a path that is empty. */
function removeEmpty(container: Container, [key, ...rest]: readonly PathPart[]): void {
  const member = key === undefined ? undefined : container[key];
  if (key !== undefined && isContainer(member)) {
    removeEmpty(member, rest);
    if (isMapping(member) && Object.keys(member).length === 0) {
      delete container[key];
    }
  }
}

/** A map or a list. */
type Container = Record<PathPart, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function valueAt(document: unknown, path: readonly PathPart[]): unknown {
  return path.reduce((value, key) => (isContainer(value) ? value[key] : undefined), document);
}

interface Putting {
  readonly from: string;
  readonly faults: string[];
  readonly writtenAs: Map<string, string>;
}

/** Puts a value in its current place. Maps are merged; an existing key is a fault. */
function put(document: Container, to: readonly PathPart[], value: unknown, putting: Putting): void {
  const parent = to.slice(0, -1).reduce<Container>((map, key) => {
    const next = isContainer(map[key]) ? map[key] : {};
    map[key] = next;
    return next;
  }, document);
  const key = to.at(-1) ?? '';
  const held = parent[key];
  if (isMapping(value) && (held === undefined || held === null || isMapping(held))) {
    if (!isMapping(held)) {
      parent[key] = {};
      putting.writtenAs.set(showPath(to), putting.from);
    }
    for (const [name, member] of Object.entries(value)) {
      put(document, [...to, name], member, { ...putting, from: `${putting.from}.${name}` });
    }
  } else if (held === undefined) {
    parent[key] = value;
    putting.writtenAs.set(showPath(to), putting.from);
  } else {
    putting.faults.push(`${putting.from}: is also at ${showPath(to)}; keep one`);
  }
}

const executorNames = new Map<unknown, string>([
  ['compiled', 'fast_path'],
  ['reference', 'slow_path'],
]);

function renameExecutor({ meridian }: MutableMapping, notes: string[]): void {
  const name = isMapping(meridian) ? executorNames.get(meridian['executor']) : undefined;
  if (isMapping(meridian) && name !== undefined) {
    notes.push(`meridian.executor: ${String(meridian['executor'])} is an earlier name of ${name}`);
    meridian['executor'] = name;
  }
}

/** `cors.origins` and `cors.match_origins` became members of a policy. */
function makePolicyOfOrigins(
  document: MutableMapping,
  notes: string[],
  writtenAs: Map<string, string>,
): void {
  const { cors } = document;
  if (!isMapping(cors) || cors['policies'] !== undefined) {
    return;
  }
  const names = ['origins', 'match_origins'].filter((name) => cors[name] !== undefined);
  if (names.length > 0) {
    cors['policies'] = [Object.fromEntries(names.map((name) => [name, cors[name]]))];
    for (const name of names) {
      delete cors[name];
      writtenAs.set(`cors.policies[0].${name}`, `cors.${name}`);
      notes.push(`cors.${name} is an earlier place of cors.policies[].${name}`);
    }
  }
}
