import { hash } from 'node:crypto';

import type { Caller } from '@meridian/auth';
import type { SubgraphRequest } from '@meridian/executor';
import { traceFields } from '@meridian/executor';

import type { CacheSettings } from '../config/response-cache-config.ts';
import type { Run } from '../operation/run.ts';
import { contextKeyOf, privateIdOf } from './private-id.ts';
import type { Scope } from './freshness.ts';

/** A change of what is stored, or of its keys, makes it another version. */
const version = 1;

export interface KeyInput {
  readonly request: SubgraphRequest<Run>;
  readonly settings: Pick<CacheSettings, 'ignoredHeaders' | 'privateId'>;
  /** Of the subgraph. */
  readonly url: string;
  readonly operationName: string | undefined;
  /** The query and its variables, apart from representations. */
  readonly query: string;
}

/** The keys of a request's responses. */
export interface RequestKeys {
  /** The scopes in which there may be a response, the narrowest first. */
  readonly scopes: readonly Scope[];
  /** @param item a representation; empty for root fields */
  readonly keyOf: (scope: Scope, item: string) => string;
}

/**
 * Derives them from everything that the subgraph gets, its trace apart, and from the rights of the caller. Callers with the
 * same rights share what is for all of them, in one tenant; `caller` is for one token.
 *
 * Spec: Authentication, rule 5.
 */
export function requestKeys({ request, settings, url, operationName, query }: KeyInput): RequestKeys {
  const { headers, run, subgraph } = request;
  const { authorization } = headers;
  const privateId = privateIdOf(run, settings.privateId);
  const fields = Object.entries(headers)
    .filter(([name]) => !traceFields.has(name) && !notInKeys.has(name) && !settings.ignoredHeaders.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const base = digest([
    version,
    subgraph,
    url,
    query,
    rightsOf(run.identity),
    fields,
    contextKeyOf(run, subgraph, operationName),
  ]);
  const scoped: Readonly<Record<Scope, string>> = {
    public: base,
    caller: digest([base, 'caller', authorization]),
    private: digest([base, 'private', privateId]),
  };
  return {
    scopes: [
      ...(privateId === undefined ? [] : (['private'] as const)),
      ...(authorization === undefined ? [] : (['caller'] as const)),
      'public',
    ],
    keyOf: (scope, item) => digest([scoped[scope], item]),
  };
}

/** They have their own place in keys, or none: `cache-control` says whether there is a look-up. */
const notInKeys: ReadonlySet<string> = new Set(['authorization', 'cache-control']);

/** Everything of a caller that authorization can depend on, apart from who it is. */
function rightsOf(caller: Caller | undefined): unknown {
  return (
    caller && [
      caller.tenantId,
      caller.issuer,
      [...caller.scopes].toSorted(),
      [...(caller.policies ?? [])].toSorted(),
    ]
  );
}

function digest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
