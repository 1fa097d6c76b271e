import type { EarlierName, JsonSchema, KeyFacts } from '../declaration/json-schema.ts';
import { facts, namedMembers, partOf } from '../declaration/json-schema.ts';
import type { Mapping, MutableMapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import { showPath } from '../declaration/place.ts';
import { routerOnlyKeys } from './router-only-keys.ts';

interface Move {
  /** `*` is a name that the operator chooses, the same in `to`. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The value in its current notation. */
  readonly as: (value: unknown) => unknown;
  /** Both places are valid; no note suggests a change. */
  readonly isEquallyGood: boolean;
}

/** The moves that a schema's keys name, then the moves that the section itself names. */
function movesIn(schema: JsonSchema, path: readonly string[] = []): Move[] {
  const named = namedMembers(schema);
  const members = Object.entries({ ...partOf(schema, 'properties'), ...(named && { '*': named }) });
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
    return { from: name.includes('.') ? name.split('.') : [...to.slice(0, -1), name], to, as, isEquallyGood };
  };
  return [
    ...formerly.map((name) => move(name, false)),
    ...Object.values(since).map((name) => move(name, true)),
  ];
}

/** A document with all keys in their current places. */
export interface CurrentDocument {
  readonly document: Mapping;
  /** One sentence for each key in an earlier place. */
  readonly notes: readonly string[];
  /** The paths of moved keys, and of the keys below them, with the paths that the author wrote. */
  readonly writtenAs: ReadonlyMap<string, string>;
}

/**
 * Moves keys from the places of other versions of Apollo Router to current ones; adds a fault for a key in both places.
 */
export function toCurrentPlaces(written: Mapping, schema: JsonSchema, faults: string[]): CurrentDocument {
  const document: MutableMapping = structuredClone(written);
  const notes: string[] = [];
  const writtenAs = new Map<string, string>();
  const moves = [
    ...movesIn(schema),
    ...routerOnlyKeys.flatMap((row) => row.keys.flatMap((path) => movesTo(path.split('.'), row))),
  ];
  // Twice, because a moved section may hold earlier names.
  for (const move of [...moves, ...moves]) {
    for (const { from, to } of pathsOf(move, document)) {
      const value = take(document, from);
      if (value !== undefined) {
        put(document, to, move.as(value), { from: showPath(from), faults, writtenAs });
        if (!move.isEquallyGood) {
          notes.push(`${showPath(from)} is an earlier place of ${showPath(to)}`);
        }
      }
    }
  }
  splitPrewarming(document, notes);
  nameListsOfIssuers(document, notes, writtenAs);
  wrapHeaderOperations(document, notes, writtenAs);
  makePolicyOfOrigins(document, notes, writtenAs);
  return { document, notes, writtenAs };
}

/** The paths of a move, for each name in place of `*`. */
function pathsOf({ from, to }: Move, document: Mapping): readonly Pick<Move, 'from' | 'to'>[] {
  const star = from.indexOf('*');
  if (star === -1) {
    return [{ from, to }];
  }
  const named = memberAt(document, from.slice(0, star));
  return Object.keys(isMapping(named) ? named : {}).map((name) => ({
    from: from.with(star, name),
    to: to.with(to.indexOf('*'), name),
  }));
}

/** Removes the value at the path, and every map that becomes empty. */
function take(document: MutableMapping, [key, ...rest]: readonly string[]): unknown {
  const held = key === undefined ? undefined : document[key];
  if (key === undefined || held === undefined) {
    return undefined;
  }
  if (rest.length === 0) {
    delete document[key];
    return held;
  }
  const value = isMapping(held) ? take(held, rest) : undefined;
  if (value !== undefined && isMapping(held) && Object.keys(held).length === 0) {
    delete document[key];
  }
  return value;
}

interface Putting {
  readonly from: string;
  readonly faults: string[];
  readonly writtenAs: Map<string, string>;
}

/** Puts a value in its current place. Maps are merged; an existing key is a fault. */
function put(document: MutableMapping, to: readonly string[], value: unknown, putting: Putting): void {
  const parent = to.slice(0, -1).reduce<MutableMapping>((map, key) => {
    const next = isMapping(map[key]) ? map[key] : {};
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

/** `experimental_prewarm_query_plan_cache: true` became `on_startup: true`. */
function splitPrewarming(document: MutableMapping, notes: string[]): void {
  const { persisted_queries: queries } = document;
  const key = 'experimental_prewarm_query_plan_cache';
  if (isMapping(queries) && typeof queries[key] === 'boolean') {
    queries[key] = { on_startup: queries[key] };
    notes.push(
      `persisted_queries.${key} is a map today; true and false are an earlier form of its on_startup`,
    );
  }
}

/** `jwks[].issuer: x` became `jwks[].issuers: [x]`. */
function nameListsOfIssuers(document: MutableMapping, notes: string[], writtenAs: Map<string, string>): void {
  const path = 'authentication.router.jwt.jwks';
  const sources = memberAt(document, path.split('.'));
  for (const [index, source] of Array.isArray(sources) ? sources.entries() : []) {
    if (isMapping(source) && typeof source['issuer'] === 'string' && source['issuers'] === undefined) {
      source['issuers'] = [source['issuer']];
      delete source['issuer'];
      writtenAs.set(`${path}[${index}].issuers`, `${path}[${index}].issuer`);
      notes.push('authentication.router.jwt.jwks[].issuer is an earlier form of issuers, a list');
    }
  }
}

/** `headers.all.request: [rules]` became `headers.all.request.operations: [rules]`, and so for each subgraph. */
function wrapHeaderOperations(
  document: MutableMapping,
  notes: string[],
  writtenAs: Map<string, string>,
): void {
  const subgraphs = memberAt(document, ['headers', 'subgraphs']);
  const locations = [
    { path: 'headers.all', location: memberAt(document, ['headers', 'all']) },
    ...Object.entries(isMapping(subgraphs) ? subgraphs : {}).map(([name, location]) => ({
      path: `headers.subgraphs.${name}`,
      location,
    })),
  ];
  for (const { path, location } of locations) {
    if (isMapping(location) && Array.isArray(location['request'])) {
      location['request'] = { operations: location['request'] };
      writtenAs.set(`${path}.request.operations`, `${path}.request`);
      notes.push(`${path}.request is an earlier place of ${path}.request.operations`);
    }
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

function memberAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isMapping(value) ? value[key] : undefined), document);
}
