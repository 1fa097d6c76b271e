import type { Logger } from '@meridian/telemetry';
import type { ConstValueNode, ValueNode } from 'graphql';
import { Kind, valueFromASTUntyped } from 'graphql';

import type { CostRules } from '../pipeline/2-admit/check-cost.ts';
import { checkCost } from '../pipeline/2-admit/check-cost.ts';
import type { CompileOperation, CompiledOperation } from '../pipeline/2-admit/compile-operation.ts';
import { Refusal } from '../refusal.ts';
import type { Manifest } from './manifest.ts';

export interface CheckManifestOptions {
  readonly compile: CompileOperation;
  readonly cost: CostRules;
  readonly logger: Logger;
}

/**
 * Compiles every operation of a manifest, so that its first request finds it compiled, and writes those to the log that
 * will be refused: limits hold for registered operations too.
 */
export function checkManifest(
  { operations }: Manifest,
  { compile, cost, logger }: CheckManifestOptions,
): void {
  for (const operation of operations) {
    try {
      const compiled = compile(operation, undefined);
      checkCost(compiled.estimateCost(likelyVariables(compiled)), cost, { log: logger });
    } catch (error) {
      const { id, name } = operation;
      if (error instanceof Refusal) {
        const { code, message } = error;
        logger.warn(
          { id, operation: name, code, reason: message },
          'an operation of the manifest cannot run',
        );
      } else {
        logger.error({ id, operation: name, err: error }, 'an operation of the manifest cannot be compiled');
      }
    }
  }
}

/** The dearest variables that a client may send and is likely to: a page size at its default, else at its bound. */
function likelyVariables({ definition, pageSizes }: CompiledOperation): Record<string, unknown> {
  const bounds = pageSizes.map(({ value, max }) => [variableName(value), max] as const);
  const defaults = (definition.variableDefinitions ?? []).map(
    ({ variable, defaultValue }) => [variable.name.value, defaultValue && constant(defaultValue)] as const,
  );
  return Object.fromEntries(
    [...bounds, ...defaults].filter(([name, value]) => name !== undefined && value !== undefined),
  );
}

function variableName(value: ValueNode): string | undefined {
  return value.kind === Kind.VARIABLE ? value.name.value : undefined;
}

function constant(value: ConstValueNode): unknown {
  return valueFromASTUntyped(value);
}
