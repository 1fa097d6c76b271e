import type { SubgraphInterceptor } from '@meridian/executor';
import type { RouterConfig } from '@meridian/router-config';
import type { Metrics } from '@meridian/telemetry';

import type { OperationInterceptor, RequestInterceptor } from '../../interceptors/gateway-request.ts';
import type { Run } from '../../operation/run.ts';
import { GatewayFacts } from '../../selectors/gateway-facts.ts';
import { createInstruments } from './instruments.ts';
import { compileEvents } from './log-events.ts';
import { describeSpans } from './span-attributes.ts';

/** The interceptors of the telemetry that the file names; absent where it names none. */
export interface CustomTelemetry {
  readonly aroundRequest: RequestInterceptor;
  readonly aroundOperation: OperationInterceptor;
  readonly aroundSubrequest: SubgraphInterceptor<Run>;
}

interface CustomTelemetryOptions {
  readonly metrics: Metrics;
  readonly isTraced: boolean;
  /** True when clients connect over TLS. */
  readonly isSecure: boolean;
}

/**
 * Creates the interceptors for metrics, events and attributes of spans, once for a process, after its other metrics.
 *
 * @returns undefined where the file names none of them: then they cost nothing
 * @throws {RouterConfigError} where a metric has a name that is in use
 */
export function createCustomTelemetry(
  { spans, instruments, events }: RouterConfig['telemetry']['instrumentation'],
  { metrics, isTraced, isSecure }: CustomTelemetryOptions,
): CustomTelemetry | undefined {
  const measure = createInstruments(instruments, metrics);
  const write = compileEvents(events);
  const isForAll = [measure, ...Object.values(write)].some((stage) =>
    Object.values(stage).some((used) => used !== undefined),
  );
  if (!isForAll && !(isTraced && describeSpans(spans) !== undefined)) {
    return undefined;
  }
  return {
    async aroundRequest(request, next) {
      const { exchange, context, notes, recorder } = request;
      if (!isForAll && recorder === undefined) {
        return await next(request);
      }
      const facts = new GatewayFacts(request, { isSecure });
      request.facts = facts;
      recorder?.follow(facts);
      write.router.request?.(facts);
      let isHeadMeasured = false;
      const measureHead = (): void => {
        if (!isHeadMeasured) {
          isHeadMeasured = true;
          measure.head?.(performance.now() - context.startedMs, facts, undefined);
        }
      };
      exchange.onEnd((status) => {
        facts.onEnd(status);
        measureHead();
        const { operationStartMs: startMs, operationEndMs: endMs = performance.now() } = facts;
        if (startMs !== undefined) {
          measure.supergraph?.(endMs - startMs, facts, undefined);
          write.supergraph.response?.(facts);
          if (facts.failure !== undefined) {
            write.supergraph.error?.(facts);
          }
        }
        measure.router?.(performance.now() - context.startedMs, facts, undefined);
        write.router.response?.(facts);
        if (facts.failure !== undefined) {
          write.router.error?.(facts);
        }
      });
      facts.response = await next(request);
      if (notes.endReason !== undefined) {
        // A stream, which may be open for days.
        measureHead();
      }
      return facts.response;
    },

    async aroundOperation(operation, next) {
      const { facts } = operation.request;
      if (!(facts instanceof GatewayFacts)) {
        return await next(operation);
      }
      facts.onOperation(operation);
      write.supergraph.request?.(facts);
      facts.operationStartMs = performance.now();
      try {
        const result = await next(operation);
        facts.onResult(result);
        return result;
      } finally {
        facts.operationEndMs = performance.now();
      }
    },

    async aroundSubrequest(request, next) {
      const { facts } = request.run;
      if (!(facts instanceof GatewayFacts)) {
        return await next(request);
      }
      const subrequest = facts.beginSubrequest(request.subgraph);
      subrequest.onSent(request);
      write.subgraph.request?.(facts, subrequest);
      const startMs = performance.now();
      try {
        const response = await next({
          ...request,
          onFields(fields) {
            subrequest.responseFields = fields;
            request.onFields?.(fields);
          },
        });
        subrequest.onResponse(response);
        write.subgraph.response?.(facts, subrequest);
        return response;
      } catch (error) {
        subrequest.onFailure(error);
        write.subgraph.error?.(facts, subrequest);
        throw error;
      } finally {
        measure.subgraph?.(performance.now() - startMs, facts, subrequest);
      }
    },
  };
}
