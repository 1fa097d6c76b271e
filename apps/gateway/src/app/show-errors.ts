import type { GraphQLFormattedError } from 'graphql';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { GatewayRequest } from '../interceptors/gateway-request.ts';
import type { RunError, RunResult } from '../operation/run.ts';
import { logErrors } from '../pipeline/6-mask/log-errors.ts';
import { maskErrors } from '../pipeline/6-mask/mask-errors.ts';
import type { GraphMetrics } from '../telemetry/graph-metrics.ts';

/** Logs, masks and counts errors. */
export interface ShowErrors {
  /** The errors of a result; errors of unauthorized fields are apart where the configuration gives them another place. */
  readonly ofResult: (result: RunResult, request: GatewayRequest) => PlacedErrors;
  readonly ofPart: (errors: readonly RunError[], request: GatewayRequest) => PlacedErrors['errors'];
}

const none: PlacedErrors = { errors: [], unauthorized: [] };

export function createShowErrors(
  { file, mask }: Pick<GatewayConfig, 'file' | 'mask'>,
  graphMetrics: Pick<GraphMetrics, 'countErrors'>,
): ShowErrors {
  const { response: place, log } = file.authorization.directives.errors;
  const show = (
    errors: readonly RunError[],
    { context, facts }: GatewayRequest,
  ): readonly GraphQLFormattedError[] => {
    logErrors(errors, context.log, log);
    const shown = maskErrors(errors, context.trace.traceId, mask);
    graphMetrics.countErrors(shown, errors, mask.allowedCodes);
    facts?.onErrors(shown);
    return shown;
  };
  return {
    ofResult(result, request) {
      if (result.errors.length === 0) {
        return none;
      }
      const errors = show(result.errors, request);
      request.notes.onExecuted(errors, result);
      return place === 'errors'
        ? { errors, unauthorized: none.unauthorized }
        : separateUnauthorized(result.errors, errors);
    },
    ofPart(errors, request) {
      const shown = show(errors, request);
      return place === 'disabled' ? separateUnauthorized(errors, shown).errors : shown;
    },
  };
}

type ShownErrors = readonly GraphQLFormattedError[];

/** The errors of a response by kind. */
export interface PlacedErrors {
  readonly errors: ShownErrors;
  readonly unauthorized: ShownErrors;
}

/**
 * Separates the errors of unauthorized fields from the others.
 *
 * @param shown as the client gets them, in the order of `errors`
 */
function separateUnauthorized(errors: readonly RunError[], shown: ShownErrors): PlacedErrors {
  const isUnauthorized = (_error: unknown, index: number): boolean => errors[index]?.kind === 'unauthorized';
  return {
    errors: shown.filter((error, index) => !isUnauthorized(error, index)),
    unauthorized: shown.filter(isUnauthorized),
  };
}
