import type { CheckedKey } from '@meridian/router-config';
import { checkConfig } from '@meridian/router-config';
import type { GatewayLimits, GraphConfigFile } from '@meridian/schema-check';

import { createJudge, readLimits } from '../figures/judge-operation.ts';

/**
 * Reads the limits of a router.yaml.
 *
 * @param text of the file; undefined where there is none: the defaults hold
 * @param ofGraph a file that is merged over it, for one graph of several
 * @throws {CommandError} for a file with an invalid value
 */
export function readGatewayLimits(text: string | undefined, ofGraph?: GraphConfigFile): GatewayLimits {
  const limits = readLimits(text, { overlays: ofGraph && [ofGraph] });
  const { rules, tiers, assumedListSize, isSafelistOn, keys } = limits;
  const { cost } = tiers.none;
  const judge = createJudge(limits);
  const ownKeys =
    ofGraph === undefined
      ? []
      : checkConfig(ofGraph, { env: {}, readFile: () => '', mode: 'production' }).keys;
  return {
    values: new Map([
      ...limitsNamed('limits', rules.limits, [
        'max_depth',
        'max_height',
        'max_aliases',
        'max_root_fields',
        'max_recursive_selections',
        'parser_max_tokens',
        'parser_max_recursion',
      ]),
      ...limitsNamed('meridian.limits', rules.meridian.limits, [
        'introspection_max_depth',
        'max_document_length',
        'max_operations',
        'max_fragments',
        'max_selections',
      ]),
      [
        'demand_control.strategy.static_estimated.max',
        cost.demand?.isEnforced === true ? cost.demand.max : undefined,
      ],
      ['traffic_shaping.router.global_rate_limit.capacity', cost.throttleCapacity],
      ...Array.from(
        tiers.byName,
        ([name, { cost: ofTier }]) =>
          [
            `meridian.tiers.limits.${name}.max_cost`,
            ofTier.demand?.isEnforced === true ? ofTier.demand.max : undefined,
          ] as const,
      ),
    ]),
    assumedListSize,
    placeOf(key) {
      const line = lineOf(key, ownKeys);
      return ofGraph === undefined || line === undefined
        ? { file: 'router.yaml', line: lineOf(key, keys) ?? 1 }
        : { file: ofGraph.name, line };
    },
    isSafelistOn,
    manifests: limits.manifests,
    rejectionsOver: (supergraph) => {
      const judgeText = judge(supergraph);
      return (operation) => judgeText(operation).rejections;
    },
  };
}

function limitsNamed<const Name extends string>(
  section: string,
  values: Readonly<Record<Name, number | undefined>>,
  names: readonly Name[],
) {
  return names.map((name) => [`${section}.${name}`, values[name]] as const);
}

/** `limits.max_depth` may be written as `limits.router.max_depth`. */
function lineOf(key: string, keys: readonly CheckedKey[]): number | undefined {
  return keys.find(({ path }) => path === key || path.replace('limits.router.', 'limits.') === key)?.line;
}
