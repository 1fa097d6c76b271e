import { checkConfig } from '@meridian/router-config';
import type { Supergraph } from '@meridian/executor';

import type { Refusal } from '../figures/judge-operation.ts';
import { createJudge, readLimits } from '../figures/judge-operation.ts';

/** The limits of a router.yaml on operations, as `pnpm check` compares them. */
export interface GatewayLimits {
  /** The value of each limit, by its key; undefined where there is none. */
  readonly values: ReadonlyMap<string, number | undefined>;
  /** The length of a list whose length nothing says, which the cost of operations depends on. */
  readonly assumedListSize: number;
  /** The line of a key; 1 for one that is not there. */
  readonly lineOf: (key: string) => number;
  readonly isSafelistOn: boolean;
  readonly refusalsOver: (supergraph: Supergraph) => (text: string) => readonly Refusal[];
}

/**
 * Reads the limits of a router.yaml.
 *
 * @param text of the file; undefined where there is none: the defaults hold
 * @throws {CommandError} for a file with an invalid value
 */
export function readGatewayLimits(text: string | undefined): GatewayLimits {
  const limits = readLimits(text);
  const { rules, cost, assumedListSize, isSafelistOn } = limits;
  const { sizes, documents } = rules;
  const judge = createJudge(limits);
  return {
    values: new Map([
      ['limits.max_depth', sizes.maxDepth],
      ['limits.max_height', sizes.maxHeight],
      ['limits.max_aliases', sizes.maxAliases],
      ['limits.max_root_fields', sizes.maxRootFields],
      ['limits.parser_max_tokens', rules.maxTokens],
      ['limits.parser_max_recursion', rules.maxRecursion],
      ['meridian.limits.introspection_max_depth', sizes.introspectionMaxDepth],
      ['meridian.limits.max_document_length', rules.maxLength],
      ['meridian.limits.max_operations', documents.maxOperations],
      ['meridian.limits.max_fragments', documents.maxFragments],
      ['meridian.limits.max_selections', documents.maxSelections],
      [
        'demand_control.strategy.static_estimated.max',
        cost.demand?.isEnforced === true ? cost.demand.max : undefined,
      ],
      ['traffic_shaping.router.global_rate_limit.capacity', cost.throttleCapacity],
    ]),
    assumedListSize,
    lineOf: createLineOf(text ?? ''),
    isSafelistOn,
    refusalsOver: (supergraph) => {
      const judgeText = judge(supergraph);
      return (operation) => judgeText(operation).refusals;
    },
  };
}

function createLineOf(text: string): (key: string) => number {
  const { keys } = checkConfig(
    { name: 'router.yaml', text },
    { env: {}, readFile: () => '', mode: 'production' },
  );
  // `limits.max_depth` may be written as `limits.router.max_depth`.
  return (key) =>
    keys.find(({ path }) => path === key || path.replace('limits.router.', 'limits.') === key)?.line ?? 1;
}
