import type { GuardRule } from './guard.ts';

/**
 * Each root mutation field gets new loaders: the previous field's write may have outdated what its loaders cached. That
 * field is complete by then, including all selections below it. Spec: Execution rules, rule 2.
 */
export const newLoaders: GuardRule = ({ type }, schema) =>
  type === schema.getMutationType() ? (_argumentValues, context) => context.renewLoaders() : undefined;
