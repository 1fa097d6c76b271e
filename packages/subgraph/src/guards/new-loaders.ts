import type { GuardRule } from './guard.ts';

/**
 * Each root mutation field reads anew: what the one before it has read may be out of date by its write. The one before is
 * complete by then, with all that was selected below it. Spec: Execution rules, rule 2.
 */
export const newLoaders: GuardRule = ({ type }, schema) =>
  type === schema.getMutationType() ? (_argumentValues, context) => context.renewLoaders() : undefined;
