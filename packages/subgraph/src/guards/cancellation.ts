import type { GuardRule } from './guard.ts';

/**
 * Nothing more is started for a request that is cancelled or past its deadline; of several mutations, those that have
 * not begun. A field without a resolver of its own only reads what is already there. Spec: Execution rules, rule 11.
 */
export const cancellation: GuardRule = ({ field }) =>
  field.resolve === undefined ? undefined : (_argumentValues, { signal }) => signal.throwIfAborted();
