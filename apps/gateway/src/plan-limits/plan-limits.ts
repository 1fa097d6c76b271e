import type { OperationPlan, SubgraphInterceptor } from '@meridian/executor';
import { SubgraphFailure, fetchesOf } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';
import type { GraphQLSchema } from 'graphql';

import type { SubgraphCostRules } from '../config/traffic-limits.ts';
import { requestError } from '../errors/request-error.ts';
import type { Run } from '../operation/run.ts';
import type { FieldCosts } from '../supergraph/field-costs.ts';
import type { EstimateSubgraphs } from './estimate-subgraphs.ts';
import { prepareSubgraphEstimates } from './estimate-subgraphs.ts';

export interface PlanLimitOptions {
  /** The most fetches of a plan; undefined for any number. */
  readonly maxFetches: number | undefined;
  /** True where an operation with more is logged, and runs. */
  readonly warnsOnly: boolean;
  /** Undefined where no subgraph has a limit. */
  readonly costs: SubgraphCostRules | undefined;
  /** Of the supergraph. */
  readonly schema: GraphQLSchema;
  readonly costOf: FieldCosts;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The limits that depend on the plan of an operation. */
export interface PlanLimits {
  /**
   * Checks the plan of a run before its first fetch.
   *
   * @throws {RequestError} MAX_SUBGRAPH_FETCHES_LIMIT, or for a subscription SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE
   */
  readonly admitPlan: (plan: OperationPlan, run: Run) => void;
  /**
   * Checks the fetches of a plan before its first run.
   *
   * @throws {RequestError} MAX_SUBGRAPH_FETCHES_LIMIT
   */
  readonly checkFetches: (plan: OperationPlan) => void;
  /** Fails the fetches from subgraphs in which the operation costs too much; absent where none has a limit. */
  readonly limitCost: SubgraphInterceptor<Run> | undefined;
}

/** The figures of one plan, computed at its first run. */
interface PlanFigures {
  readonly fetches: number;
  readonly estimate: EstimateSubgraphs;
  /** The latest estimate that was within all limits: one that depends on no variable is judged once. */
  cheap?: ReadonlyMap<string, number>;
}

/** The limits on plans; undefined without a limit. */
export function limitPlans({
  maxFetches = Number.POSITIVE_INFINITY,
  warnsOnly,
  costs,
  schema,
  costOf,
  logger,
}: PlanLimitOptions): PlanLimits | undefined {
  if (maxFetches === Number.POSITIVE_INFINITY && costs === undefined) {
    return undefined;
  }
  const known = new WeakMap<OperationPlan, PlanFigures>();
  const figuresOf = (plan: OperationPlan): PlanFigures => {
    let figures = known.get(plan);
    if (figures === undefined) {
      const fetches = fetchesOf(plan.root);
      const estimate =
        costs === undefined
          ? () => new Map<string, number>()
          : prepareSubgraphEstimates(plan, { schema, costOf, listSizeOf: costs.listSizeOf });
      figures = { fetches: fetches.length, estimate };
      known.set(plan, figures);
      if (figures.fetches > maxFetches && warnsOnly) {
        const operation = fetches[0]?.operationName;
        logger.warn(
          { operation, fetches: figures.fetches, max: maxFetches },
          'an operation exceeds the limit of fetches; limits are not enforced',
        );
      }
    }
    return figures;
  };
  const checkFetches = (plan: OperationPlan): PlanFigures => {
    const figures = figuresOf(plan);
    if (figures.fetches > maxFetches && !warnsOnly) {
      throw requestError(
        'MAX_SUBGRAPH_FETCHES_LIMIT',
        `The operation needs ${figures.fetches} fetches from subgraphs, over the limit of ${maxFetches}`,
      );
    }
    return figures;
  };
  if (costs === undefined) {
    return { admitPlan: checkFetches, checkFetches, limitCost: undefined };
  }

  const tooExpensive = new WeakMap<Run, ReadonlyMap<string, SubgraphFailure>>();
  const failuresOf = (estimated: ReadonlyMap<string, number>): Map<string, SubgraphFailure> => {
    const failures = new Map<string, SubgraphFailure>();
    for (const [subgraph, cost] of estimated) {
      const max = costs.maxOf(subgraph);
      if (max !== undefined && cost > max) {
        const message = `the operation costs ${cost} in ${subgraph}, over the limit of ${max}`;
        failures.set(subgraph, new SubgraphFailure('SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE', message));
      }
    }
    return failures;
  };
  return {
    checkFetches,
    admitPlan(plan, run) {
      const figures = checkFetches(plan);
      const estimated = figures.estimate(run.variables);
      if (estimated === figures.cheap) {
        return;
      }
      const failures = failuresOf(estimated);
      if (failures.size === 0) {
        figures.cheap = estimated;
        return;
      }
      if (!costs.isEnforced) {
        const reasons = Array.from(failures.values(), ({ message }) => message);
        logger.warn(
          { reasons },
          'an operation exceeds the cost limit of a subgraph; limits are not enforced',
        );
      } else if (plan.operationKind === 'subscription') {
        throw requestError(
          'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE',
          'The operation costs more than it may in a subgraph',
        );
      } else {
        tooExpensive.set(run, failures);
      }
    },
    limitCost(request, next) {
      const failure = tooExpensive.get(request.run)?.get(request.subgraph);
      return failure === undefined ? next(request) : Promise.reject(failure);
    },
  };
}
