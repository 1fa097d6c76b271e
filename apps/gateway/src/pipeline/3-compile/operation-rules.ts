import type { RouterConfig } from '@meridian/router-config';

/** The sections of router.yaml with rules that depend on nothing but the text of an operation. */
export type OperationRules = Pick<
  RouterConfig,
  'forbid_mutations' | 'limits' | 'meridian' | 'subscription' | 'supergraph'
>;
