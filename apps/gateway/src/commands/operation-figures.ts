import type { Supergraph } from '@meridian/executor';
import { checkConfig } from '@meridian/router-config';

import { operationsConfig } from '../config/operations-config.ts';
import { trafficLimits } from '../config/traffic-limits.ts';
import { RequestError } from '../errors/request-error.ts';
import { likelyVariables } from '../graph/warm-up-tasks.ts';
import { queryHash } from '../operation/operation-source.ts';
import { createCompiler } from '../pipeline/3-compile/compile-operation.ts';
import { checkPageSizes } from '../pipeline/4-admit/check-page-sizes.ts';
import { accessRules } from '../supergraph/access-rules.ts';
import { cacheHints } from '../supergraph/cache-hints.ts';
import { fieldCosts } from '../supergraph/field-costs.ts';
import { pageSizes } from '../supergraph/page-sizes.ts';

/** Figures of an operation, as this gateway computes them before it runs one. */
export interface OperationFigures {
  /** Estimated, with the most expensive variables that a client is likely to send. */
  readonly cost: number;
  /** The highest cost that is allowed; absent where there is no limit. */
  readonly maxCost: number | undefined;
  /** The fault of a page size; absent where all are allowed. */
  readonly pageSizeFault: string | undefined;
  /** Absent where it cannot be cached. */
  readonly cache: { readonly maxAgeSeconds: number; readonly isPrivate: boolean } | undefined;
  /** A text for each requirement of authorization. */
  readonly requirements: readonly string[];
}

/** Computes the figures of operations over a supergraph; undefined for one that the gateway refuses. */
export type ReadFigures = (supergraph: Supergraph) => (text: string) => OperationFigures | undefined;

/**
 * Reads figures under the limits of a router.yaml.
 *
 * @param routerConfig the file's text; undefined where there is none: its defaults hold
 */
export function createReadFigures(routerConfig: string | undefined): ReadFigures {
  const { config } = checkConfig(
    { name: 'router.yaml', text: routerConfig ?? '' },
    { env: {}, readFile: () => '', mode: 'production' },
  );
  if (config === undefined) {
    return () => () => undefined;
  }
  const { rules, assumedListSize } = operationsConfig(config);
  const { demand, throttleCapacity } = trafficLimits(config).cost;
  const limits = [demand?.isEnforced === true ? demand.max : undefined, throttleCapacity].filter(
    (limit) => limit !== undefined,
  );
  const maxCost = limits.length === 0 ? undefined : Math.min(...limits);
  return (supergraph) => {
    const { compile } = createCompiler({
      apiSchema: supergraph.apiSchema,
      schema: supergraph.schema,
      accessRules: accessRules(supergraph),
      pageSizes: pageSizes(supergraph),
      fieldCosts: fieldCosts(supergraph),
      cacheHints: cacheHints(supergraph),
      assumedListSize,
      rules,
      cachedOperations: 1,
    });
    return (text) => {
      try {
        const operation = compile({ text, key: queryHash(text), isFromManifest: true }, undefined);
        const variables = likelyVariables(operation);
        return {
          cost: operation.estimateCost(variables),
          maxCost,
          pageSizeFault: faultOf(() => checkPageSizes(operation.pageSizes, variables)),
          cache: operation.cacheHint,
          requirements: operation.requirements.map(({ key }) => key),
        };
      } catch (error) {
        if (error instanceof RequestError) {
          return undefined;
        }
        throw error;
      }
    };
  };
}

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) {
      return error.message;
    }
    throw error;
  }
}
