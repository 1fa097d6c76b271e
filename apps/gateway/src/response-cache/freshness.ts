import type { SubgraphField } from '@meridian/executor';

import { parseCacheControl } from '../http/parse-cache-control.ts';

/**
 * The callers of a stored response: all whose tokens give the same rights, those with one token or with none, or one private
 * identity.
 */
export type Scope = 'public' | 'caller' | 'private';

/** For how long a response may be kept, and for whom. */
export interface Freshness {
  readonly ttlMs: number;
  /** For how long clients may reuse it; 0 or less for not at all. */
  readonly clientMs: number;
  readonly scope: Scope;
}

export interface FreshnessInput {
  readonly cacheControl: string | undefined;
  /** The other fields of the response. */
  readonly fields: readonly SubgraphField[];
  /** False where the gateway does not know the rights that a token gives. */
  readonly isShareable: boolean;
  /** Where the response names no time. */
  readonly ttlMs: number | undefined;
  readonly ignoredHeaders: ReadonlySet<string>;
}

/**
 * The freshness of a response, by RFC 9111 for a shared cache; undefined for one that may not be kept. A response is for one
 * token, or for requests without one, unless it says `public` or `s-maxage` (§3.5), and varies by no credentials.
 */
export function freshnessOf({
  cacheControl,
  fields,
  isShareable,
  ttlMs: fallbackMs,
  ignoredHeaders,
}: FreshnessInput): Freshness | undefined {
  if (cacheControl === undefined) {
    return undefined;
  }
  const directives = parseCacheControl(cacheControl);
  const varied = valuesOf(fields, 'vary').flatMap((value) => listed(value));
  if (
    directives.has('no-store') ||
    directives.has('no-cache') ||
    varied.some((name) => name === '*' || ignoredHeaders.has(name)) ||
    fields.some(([name]) => name === 'set-cookie')
  ) {
    return undefined;
  }
  const seconds = directives.get('s-maxage') ?? directives.get('max-age');
  const lifetimeMs = seconds === undefined ? (fallbackMs ?? 0) : secondsIn(seconds) * 1000;
  const ttlMs = Math.min(lifetimeMs - ageMsOf(fields), maxTtlMs);
  if (ttlMs <= 0) {
    return undefined;
  }
  const isShared =
    isShareable &&
    (directives.has('public') || directives.has('s-maxage')) &&
    !varied.includes('authorization') &&
    !varied.includes('cookie');
  const maxAge = directives.get('max-age');
  return {
    ttlMs,
    clientMs: maxAge === undefined ? ttlMs : Math.min(ttlMs, secondsIn(maxAge) * 1000 - ageMsOf(fields)),
    scope: directives.has('private') ? 'private' : isShared ? 'public' : 'caller',
  };
}

/** A century. */
const maxTtlMs = 36_525 * 86_400_000;

/** The time that is left of stored responses, for clients. */
export interface Remaining {
  readonly leftMs: number;
  readonly isPrivate: boolean;
}

/** `Cache-Control` for what is made of stored responses: with the time that is left. */
export function remainingControl({ leftMs, isPrivate }: Remaining): string {
  return `max-age=${Math.max(0, Math.floor(leftMs / 1000))}, ${isPrivate ? 'private' : 'public'}`;
}

/** The stricter one of what is stored and of a response; the response decides alone where it may not be kept. */
export function strictestControl(
  stored: Remaining,
  cacheControl: string | undefined,
  fields: readonly SubgraphField[],
): string {
  if (cacheControl === undefined) {
    return remainingControl(stored);
  }
  const directives = parseCacheControl(cacheControl);
  if (directives.has('no-store') || directives.has('no-cache')) {
    return 'no-store';
  }
  const isPrivate = stored.isPrivate || directives.has('private');
  const maxAge = directives.get('max-age');
  const leftMs =
    maxAge === undefined
      ? stored.leftMs
      : Math.min(stored.leftMs, secondsIn(maxAge) * 1000 - ageMsOf(fields));
  return remainingControl({ leftMs, isPrivate });
}

function ageMsOf(fields: readonly SubgraphField[]): number {
  return Math.max(0, ...valuesOf(fields, 'age').map((value) => secondsIn(value) * 1000));
}

/** 0 for any other value. */
function secondsIn(value: string): number {
  return /^\d{1,12}$/.test(value.trim()) ? Number(value) : 0;
}

function valuesOf(fields: readonly SubgraphField[], name: string): readonly string[] {
  return fields.flatMap(([known, value]) => (known === name ? [value] : []));
}

function listed(value: string): readonly string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}
