import type { GuardRule } from './guard.ts';

/**
 * A request that is cancelled or past its deadline starts no further resolver; of several mutations, none that has not
 * begun. A field without its own resolver only reads existing data, and is not guarded. Spec: Execution rules, rule 11.
 */
export const cancellation: GuardRule = ({ field }) =>
  field.resolve === undefined ? undefined : (_argumentValues, { signal }) => signal.throwIfAborted();
