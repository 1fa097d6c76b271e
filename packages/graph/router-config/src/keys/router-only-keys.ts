import type { KeyFacts } from '../declaration/json-schema.ts';
import { isMapping } from '../declaration/mapping.ts';
import rows from './router-only-keys.json' with { type: 'json' };

/** Keys of Apollo Router 2.16 that this gateway lacks. A section that it lacks altogether is one key. */
export interface RouterOnlyKeys extends Pick<KeyFacts, 'formerly' | 'since'> {
  /** Their paths: `*` is a name that the operator chooses, `[]` an item of a list. */
  readonly keys: readonly string[];
  /** The alternative; completes a sentence. A key that has one stops the start. */
  readonly instead?: string;
  /** The reason why clients see no difference without it; completes a sentence. */
  readonly noEffect?: string;
  /** The value that asks for what the gateway does without the key. */
  readonly asHere?: unknown;
}

/** The data, in the order of docs/differences-from-apollo-router.md. */
export const routerOnlyKeys: readonly RouterOnlyKeys[] = rows;

const byPath = new Map(routerOnlyKeys.flatMap((row) => row.keys.map((path) => [path, row] as const)));

/** The treatment of a key that only Apollo Router has. */
export type RouterOnlyKey =
  /** Stops the start. */
  | Required<Pick<RouterOnlyKeys, 'instead'>>
  /** Is ignored. */
  | Required<Pick<RouterOnlyKeys, 'noEffect'>>
  /** Its value asks for what the gateway does without it. */
  | { readonly isAsHere: true };

/** True for plugins whose purpose something else serves. */
function arePlansOnly(path: string, value: unknown): boolean {
  return (
    path === 'plugins' &&
    isMapping(value) &&
    Object.keys(value).every((name) => name === 'experimental.expose_query_plan')
  );
}

/**
 * Sections whose keys are never ignored: they limit what callers may do, or protect what is sent. A key of one of them
 * that this gateway does not have stops every start.
 */
const protectingSections = [
  'apq.router.cache.redis',
  'authentication',
  'authorization',
  'demand_control',
  'headers',
  'limits',
  'server',
  'supergraph.query_planning.cache.redis',
  'telemetry.exporters.tracing.otlp.http.tls',
  'tls',
];
/** Code of the operator's own, which may do the same. */
const ownCode = ['plugins', 'rhai'];

/** True for a key that is never ignored, or only in development. */
export function mayProtect(path: string, mode: 'development' | 'production'): boolean {
  return [...protectingSections, ...(mode === 'production' ? ownCode : [])].some(
    (section) => path === section || path.startsWith(`${section}.`),
  );
}

/**
 * The treatment of a key that only Apollo Router has; undefined for a key that Router does not have either. A feature
 * that is off is as here.
 *
 * @param path `*` is a name that the operator chooses, `[]` an item of a list
 */
export function routerOnlyKey(path: string, value: unknown): RouterOnlyKey | undefined {
  const { instead, noEffect, asHere } = byPath.get(path) ?? {};
  if (noEffect !== undefined) {
    return { noEffect };
  }
  if (instead === undefined) {
    return undefined;
  }
  const same = typeof value === 'string' ? value.toLowerCase() : value;
  if (value === null || isOff(value) || (asHere !== undefined && asHere === same)) {
    return { isAsHere: true };
  }
  return arePlansOnly(path, value)
    ? { noEffect: 'meridian-gateway explain shows operators the plan of a request' }
    : { instead };
}

/** True if a section, or every section in it, is off: `{ all: { enabled: false } }`. */
function isOff(value: unknown): boolean {
  return isMapping(value) && (value['enabled'] === false || Object.values(value).every(isOff));
}
