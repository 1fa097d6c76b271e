import { createHash } from 'node:crypto';

import type { OperationPlan } from './plan.ts';

/** A hash that is equal for equal plans: what is fetched from where, and the response that is made of it. */
export function hashPlan(plan: OperationPlan): string {
  return createHash('sha256').update(JSON.stringify(plan, withoutDocuments)).digest('hex');
}

/** The text of a fetch is the same as its document. */
function withoutDocuments(key: string, value: unknown): unknown {
  return key === 'document' || key === 'loc' ? undefined : value;
}
