/** Words of identifiers. */
export interface BannedWords {
  /** Matches a word, in lower case. */
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Refused among the words of a declared name: the last column of docs/glossary.md, and other names of a bound. */
export const bannedWords: readonly BannedWords[] = [
  { pattern: /^(?:refusals?)$/u, instead: 'rejection, requestError, problem' },
  { pattern: /^(?:questions?)$/u, instead: 'request, call, query' },
  { pattern: /^(?:asked|askers?)$/u, instead: 'requested, requests, caller' },
  { pattern: /^(?:answer(?:s|ed|ing)?)$/u, instead: 'response, respond' },
  { pattern: /^taken$/u, instead: 'used, accepted, read: what was done' },
  { pattern: /^patience$/u, instead: 'timeout' },
  { pattern: /^dear(?:er|est)?$/u, instead: 'expensive' },
  { pattern: /^(?:lend|lent|loans?|borrow(?:ed|ers?)?)$/u, instead: 'acquire, release, holders' },
  { pattern: /^behind$/u, instead: 'after' },
  { pattern: /^(?:longest|most|largest)$/u, instead: 'max…: maxTextLength, maxWaitMs' },
];

/** Names that may stay. */
export const allowedNames: Readonly<Record<string, string>> = {
  mostExpensive: 'the superlative, not a bound',
  mostRestrictive: 'the superlative, not a bound',
  mostSpecific: 'the superlative, not a bound',
};

/**
 * The names with such words that each folder still has. A folder may have fewer, never more; a folder that is not here
 * has none.
 */
export const unswept: Readonly<Record<string, number>> = {
  'apps/accounts': 20,
  'apps/gateway': 88,
  'apps/orders': 7,
  'apps/reviews': 1,
  'packages/apps': 1,
  'packages/auth': 2,
  'packages/benchmarks': 6,
  'packages/composition': 3,
  'packages/config': 1,
  'packages/database': 11,
  'packages/demo-data': 2,
  'packages/etag': 2,
  'packages/executor': 83,
  'packages/graph-page': 1,
  'packages/http': 58,
  'packages/json': 3,
  'packages/local-stack': 11,
  'packages/openapi': 1,
  'packages/plan-drawing': 1,
  'packages/postgres': 1,
  'packages/router-config': 4,
  'packages/schema-check': 37,
  'packages/shared-state': 5,
  'packages/soak': 24,
  'packages/subgraph': 4,
  'packages/telemetry': 7,
  'packages/testing': 4,
  'packages/values': 1,
  tools: 12,
};
