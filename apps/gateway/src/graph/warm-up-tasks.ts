import type { Logger } from '@meridian/telemetry';
import type { ConstValueNode, TypeNode, ValueNode } from 'graphql';
import { Kind, valueFromASTUntyped } from 'graphql';

import type { Graph } from './graph.ts';
import type { CostRules } from '../config/traffic-limits.ts';
import { checkCost } from '../pipeline/4-admit/check-cost.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import { RequestError } from '../errors/request-error.ts';
import type { Manifest, ManifestOperation } from '../manifest/manifest.ts';

/** One task that is done in advance, so that no request waits for it. */
export type WarmUpTask = () => Promise<void>;

export interface ManifestTaskOptions {
  readonly graph: Pick<Graph, 'compile' | 'planAhead'>;
  readonly cost: CostRules;
  readonly logger: Logger;
  /** True when operations are also planned, not only compiled and checked. */
  readonly isPlanned: boolean;
  /** Called for each operation that will be rejected. */
  readonly onUnrunnable: () => void;
}

/**
 * Compiles every operation of a manifest, so that its first request finds it compiled. Logs the operations that will
 * be rejected: limits apply to registered operations too.
 */
export function manifestTasks({ operations }: Manifest, options: ManifestTaskOptions): WarmUpTask[] {
  const { graph, cost, logger, isPlanned, onUnrunnable } = options;
  return operations.map((operation) => async () => {
    try {
      const compiled = graph.compile(operation, undefined);
      const variables = likelyVariables(compiled);
      checkCost(compiled.estimateCost(variables), cost, { log: logger });
      if (isPlanned) {
        await graph.planAhead(compiled, variables);
      }
    } catch (error) {
      onUnrunnable();
      reportFault(operation, error, logger);
    }
  });
}

/**
 * Plans recently used operations on a new graph. An operation that no longer runs there fails when a client
 * sends it.
 *
 * @param count the number of operations
 */
export function recentTasks(
  previous: Pick<Graph, 'recentlyUsed'>,
  graph: Pick<Graph, 'compile' | 'planAhead'>,
  count: number,
): WarmUpTask[] {
  return previous
    .recentlyUsed()
    .slice(0, count)
    .map(({ source, name }) => async () => {
      try {
        const compiled = graph.compile(source, name);
        await graph.planAhead(compiled, likelyVariables(compiled));
      } catch {
        // A client that sends it receives the reason.
      }
    });
}

function reportFault({ id, name }: ManifestOperation, error: unknown, logger: Logger): void {
  if (error instanceof RequestError) {
    const { code, message } = error;
    logger.warn({ id, operation: name, code, reason: message }, 'an operation of the manifest cannot run');
  } else {
    logger.error({ id, operation: name, err: error }, 'an operation of the manifest cannot be compiled');
  }
}

/**
 * The most expensive variables that a client is likely to send: each page size at its default, else at its maximum,
 * and conditions that include as much as possible.
 */
export function likelyVariables({ definition, pageSizes }: CompiledOperation): Record<string, unknown> {
  const declared = definition.variableDefinitions ?? [];
  const conditions = declared.map(
    ({ variable, type }) => [variable.name.value, isBoolean(type) ? true : undefined] as const,
  );
  const bounds = pageSizes.map(({ value, max }) => [variableName(value), max] as const);
  const defaults = declared.map(
    ({ variable, defaultValue }) => [variable.name.value, defaultValue && constant(defaultValue)] as const,
  );
  return Object.fromEntries(
    [...conditions, ...bounds, ...defaults].filter(
      ([name, value]) => name !== undefined && value !== undefined,
    ),
  );
}

function isBoolean(type: TypeNode): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return named.kind === Kind.NAMED_TYPE && named.name.value === 'Boolean';
}

function variableName(value: ValueNode): string | undefined {
  return value.kind === Kind.VARIABLE ? value.name.value : undefined;
}

function constant(value: ConstValueNode): unknown {
  return valueFromASTUntyped(value);
}
