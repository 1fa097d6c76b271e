import { isRecord } from '@meridian/settings/values';

import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { StageContext } from './messages.ts';

/** Apollo Router's key for the policies of an operation: each is true once code at a stage has granted it. */
const policiesKey = 'apollo::authorization::required_policies';

const noPolicies: ReadonlySet<string> = new Set();

/** The policies that an operation requires of its caller, as an entry of the context. */
export function requiredPolicies(
  operation: Pick<CompiledOperation, 'requirements'> | undefined,
): StageContext {
  const policies = (operation?.requirements ?? [])
    .filter(({ of }) => of === 'policies')
    .flatMap(({ sets }) => sets.flat());
  return policies.length === 0
    ? new Map()
    : new Map([[policiesKey, Object.fromEntries(policies.map((policy) => [policy, null]))]]);
}

/** The policies that code at a stage has granted for one request. */
export function grantedPolicies(context: StageContext): ReadonlySet<string> {
  const policies = context.get(policiesKey);
  return isRecord(policies)
    ? new Set(Object.keys(policies).filter((policy) => policies[policy] === true))
    : noPolicies;
}
