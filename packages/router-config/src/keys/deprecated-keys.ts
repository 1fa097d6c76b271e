import type { Mapping, MutableMapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import { showPath } from '../declaration/place.ts';

interface Move {
  /** `*` is a name that the operator chooses, the same in `to`. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The value in its current notation. */
  readonly as?: (value: unknown) => unknown;
  /** Both places are valid; no note suggests a change. */
  readonly isEquallyGood?: true;
}

const earlierTracing = ['telemetry', 'tracing'];
const tracing = ['telemetry', 'exporters', 'tracing'];

/** The places of keys in earlier versions of Apollo Router, which moves them as well, and in version 3. */
const moves: readonly Move[] = [
  { from: ['experimental_batching'], to: ['batching'] },
  { from: ['preview_connectors'], to: ['connectors'] },
  { from: ['preview_response_cache'], to: ['response_cache'] },
  { from: ['preview_operation_limits'], to: ['limits'] },
  { from: ['preview_persisted_queries'], to: ['persisted_queries'] },
  { from: ['health-check'], to: ['health_check'] },
  { from: ['supergraph', 'apq'], to: ['apq'] },
  {
    from: ['supergraph', 'query_planning', 'experimental_cache'],
    to: ['supergraph', 'query_planning', 'cache'],
  },
  { from: ['server', 'experimental_parser_recursion_limit'], to: ['limits', 'parser_max_recursion'] },
  { from: ['authentication', 'jwt'], to: ['authentication', 'router', 'jwt'] },
  { from: ['authorization', 'preview_directives'], to: ['authorization', 'directives'] },
  { from: ['limits', 'experimental_http_max_request_bytes'], to: ['limits', 'http_max_request_bytes'] },
  {
    from: ['persisted_queries', 'experimental_local_manifests'],
    to: ['persisted_queries', 'local_manifests'],
  },
  {
    from: [...earlierTracing, 'trace_config', 'attributes'],
    to: [...tracing, 'common', 'resource'],
  },
  { from: [...earlierTracing, 'common', 'attributes'], to: [...tracing, 'common', 'resource'] },
  { from: [...earlierTracing, 'trace_config'], to: [...tracing, 'common'] },
  {
    from: [...earlierTracing, 'otlp', 'timeout'],
    to: [...tracing, 'otlp', 'batch_processor', 'max_export_timeout'],
  },
  // An exporter was on when its section existed.
  { from: [...earlierTracing, 'otlp'], to: [...tracing, 'otlp'], as: enabledUnlessOff },
  { from: earlierTracing, to: tracing },
  { from: ['telemetry', 'metrics'], to: ['telemetry', 'exporters', 'metrics'] },
  { from: ['telemetry', 'logging'], to: ['telemetry', 'exporters', 'logging'] },
  { from: ['supergraph', 'preview_defer_support'], to: ['supergraph', 'defer_support'] },
  {
    from: ['traffic_shaping', 'all', 'experimental_enable_http2'],
    to: ['traffic_shaping', 'all', 'experimental_http2'],
    as: enableOrDisable,
  },
  {
    from: ['traffic_shaping', 'subgraphs', '*', 'experimental_enable_http2'],
    to: ['traffic_shaping', 'subgraphs', '*', 'experimental_http2'],
    as: enableOrDisable,
  },
  // Places of Apollo Router 3.
  {
    from: ['traffic_shaping', 'all', 'http2'],
    to: ['traffic_shaping', 'all', 'experimental_http2'],
    isEquallyGood: true,
  },
  {
    from: ['traffic_shaping', 'subgraphs', '*', 'http2'],
    to: ['traffic_shaping', 'subgraphs', '*', 'experimental_http2'],
    isEquallyGood: true,
  },
  {
    from: ['supergraph', 'log_on_broken_pipe'],
    to: ['supergraph', 'experimental_log_on_broken_pipe'],
    isEquallyGood: true,
  },
  {
    from: [...tracing, 'response_trace_id'],
    to: [...tracing, 'experimental_response_trace_id'],
    isEquallyGood: true,
  },
  // The specification writes `limits.max_depth`, Apollo Router from 2.15 on `limits.router.max_depth`.
  { from: ['limits', 'router'], to: ['limits'], isEquallyGood: true },
];

/** A document with all keys in their current places. */
export interface CurrentDocument {
  readonly document: Mapping;
  /** One sentence for each key in an earlier place. */
  readonly notes: readonly string[];
  /** The paths of moved keys, and of the keys below them, with the paths that the author wrote. */
  readonly writtenAs: ReadonlyMap<string, string>;
}

/** Moves keys from earlier places to current ones; adds a fault for a key in both places. */
export function fromEarlierPlaces(written: Mapping, faults: string[]): CurrentDocument {
  const document: MutableMapping = structuredClone(written);
  const notes: string[] = [];
  const writtenAs = new Map<string, string>();
  for (const move of moves) {
    for (const { from, to } of pathsOf(move, document)) {
      const value = take(document, from);
      if (value !== undefined) {
        put(document, to, move.as?.(value) ?? value, { from: showPath(from), faults, writtenAs });
        if (move.isEquallyGood !== true) {
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

function enableOrDisable(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 'enable' : 'disable') : value;
}

function enabledUnlessOff(section: unknown): unknown {
  return isMapping(section) ? { enabled: true, ...section } : section;
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
