import { hash } from 'node:crypto';

import type { Caller } from '@meridian/auth';
import type { SubgraphRequest } from '@meridian/executor';
import { traceFields } from '@meridian/executor';
import { claimPrefix } from '@meridian/router-config';
import { isRecord } from '@meridian/settings/values';

import type { CacheSettings } from '../config/response-cache-config.ts';
import type { Run } from '../operation/run.ts';
import type { Scope } from './freshness.ts';

/** A change of what is stored, or of its keys, makes it another version. */
const version = 2;

export interface KeyInput {
  readonly request: SubgraphRequest<Run>;
  readonly settings: Pick<CacheSettings, 'ignoredHeaders' | 'privateId' | 'verifiesAuthorization'>;
  /** The URL of the subgraph, and its socket. */
  readonly place: string;
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
 * Derives them from everything that the subgraph gets, its trace apart, and from the rights of the caller. The token is part
 * of every key, unless the gateway has verified it and the response is for all callers with the same rights in one tenant,
 * or for one of them by `private_id`.
 *
 * Spec: Authentication, rule 5.
 */
export function requestKeys({ request, settings, place, operationName, query }: KeyInput): RequestKeys {
  const { headers, run, subgraph } = request;
  const { authorization } = headers;
  const { identity } = run;
  // A token of another place says nothing about this one, nor does a token that code at the stages has set.
  const isVerified =
    identity !== undefined &&
    settings.verifiesAuthorization &&
    authorization !== undefined &&
    authorization === run.request.headers.authorization;
  const privateId = privateIdOf(run, settings.privateId);
  const fields = Object.entries(headers)
    .filter(
      ([name]) =>
        !traceFields.has(name) && !notInKeys.has(name) && !settings.ignoredHeaders.has(name.toLowerCase()),
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const base = digest([
    version,
    subgraph,
    place,
    query,
    rightsOf(identity),
    isVerified || authorization,
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
      'caller',
      ...(isVerified ? (['public'] as const) : []),
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

/** The identity of a caller to whom private responses belong, as a text; undefined where there is none. */
function privateIdOf(run: Run, key: string | undefined): string | undefined {
  if (key === undefined) {
    return undefined;
  }
  const { identity } = run;
  if (key === 'meridian::subject') {
    return identity && JSON.stringify([identity.issuer, identity.subject]);
  }
  const value = key.startsWith(claimPrefix)
    ? identity?.claims?.get(key.slice(claimPrefix.length))
    : run.stages?.context.get(key);
  // Two issuers may know the same claim.
  return value === undefined || value === null || value === ''
    ? undefined
    : JSON.stringify([identity?.issuer, value]);
}

/** The parts of keys that code at the stages has set: for the operation, and for the subgraph or for all. */
function contextKeyOf(run: Run, subgraph: string, operationName: string | undefined): unknown {
  const context = run.stages?.context;
  const data = context?.get('apollo::response_cache::key') ?? context?.get('apollo_entity_cache::key');
  if (!isRecord(data)) {
    return data;
  }
  const { subgraphs } = data;
  return [
    (isRecord(subgraphs) ? subgraphs[subgraph] : undefined) ?? data['all'],
    operationName === undefined ? undefined : data[operationName],
  ];
}
