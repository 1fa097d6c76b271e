import { claimPrefix } from '@meridian/router-config';
import { isRecord } from '@meridian/settings/values';

import type { Run } from '../operation/run.ts';

/** The identity of a caller to whom private responses belong, as a text; undefined where there is none. */
export function privateIdOf(run: Run, key: string | undefined): string | undefined {
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
export function contextKeyOf(run: Run, subgraph: string, operationName: string | undefined): unknown {
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
