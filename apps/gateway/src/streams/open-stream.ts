import { setTimeout as delay } from 'node:timers/promises';

import type { SubscriptionStream } from '@meridian/executor';
import { PlannerBusyError, SubscriptionFailure } from '@meridian/executor';

import type { Graph } from '../graph/graph.ts';
import type { GatewayRequest, OperationRequest } from '../interceptors/gateway-request.ts';
import { planningCaller } from '../operation/run.ts';
import { chooseLabels } from '../overrides/choose-labels.ts';
import type { OperationSources } from '../pipeline/2-identify/find-operation.ts';
import { findOperation } from '../pipeline/2-identify/find-operation.ts';
import type { AdmitOperation } from '../pipeline/4-admit/admit-operation.ts';
import { withUnauthorizedNulls } from '../pipeline/5-execute/null-unauthorized-fields.ts';
import { GatewayFacts } from '../selectors/gateway-facts.ts';
import { grantedPolicies } from '../stages/granted-policies.ts';
import type { StreamEnd } from '../telemetry/request-notes.ts';
import { ClientStream } from './client-stream.ts';
import type { EventWriterOptions } from './event-writer.ts';
import { EventWriter } from './event-writer.ts';
import type { OpenStreams, StreamLimits } from './open-streams.ts';

export interface StreamOpenerOptions extends EventWriterOptions {
  readonly streams: OpenStreams;
  readonly limits: StreamLimits;
  /** The current graph of its configuration. */
  readonly graph: () => Graph;
  /** True once another configuration has taken over. */
  readonly isRetired: () => boolean;
  readonly sources: OperationSources;
  readonly admit: AdmitOperation;
  /** The header fields that the gateway adds for every subgraph; undefined for none. */
  readonly addedHeaders: (request: GatewayRequest) => Readonly<Record<string, string>> | undefined;
}

/** A subscription that was opened. */
export interface OpenedStream {
  readonly stream: ClientStream;
  readonly errors: readonly [];
}

/** The time until the operation of a stream is planned again, where too many others wait. */
const busyMs = 250;
/** The longest time that a stream waits for its plan so: the next reload waits for it. */
const maxBusyMs = 60_000;

/**
 * Opens the subscription of an admitted operation. It goes on with each graph that would run its operation as a new
 * request, by the same plan, and ends with any other. It holds the graph that it was last moved to, until it ends, and no
 * earlier one: a stream may last for days.
 */
export function createStreamOpener(
  options: StreamOpenerOptions,
): (operation: OperationRequest) => Promise<OpenedStream> {
  const { streams, limits, graph: currentGraph, isRetired, sources, admit, addedHeaders } = options;
  return async (opening) => {
    const { request, graphqlRequest, variables, cost } = opening;
    const { caller, signal, notes, recorder, stages } = request;
    const releasePlace = streams.takePlace(caller?.tenantId, limits);
    const granted = stages && grantedPolicies(stages.context);
    let graph = opening.graph;
    let releaseGraph = graph.acquire();
    let hasEnded = false;
    const end = (reason: StreamEnd): void => {
      hasEnded = true;
      releasePlace(reason);
      releaseGraph();
    };
    try {
      let admitted = opening.graph.admitForCaller(opening.operation, caller, granted);
      const inputs = {
        variables,
        overrideLabels: opening.graph.labels && chooseLabels(opening, admitted),
        caller: planningCaller(caller, graphqlRequest),
        request: graphqlRequest,
        identity: caller,
        addedHeaders: addedHeaders(request),
        signal,
        observer: recorder,
        stages,
        upload: request.upload,
        isShared: stages === undefined,
        resumeAfter: positionIn(graphqlRequest),
      };
      recorder?.onAdmitted(cost);
      const events = await opened(opening.graph.subscribe({ ...inputs, operation: admitted }));
      signal.endDeadline();
      recorder?.onSubscribed();
      notes.parts = 0;
      // Its log line may be written before the stream hears that the client has left.
      notes.endReason = 'client_disconnect';
      const { source } = opening.operation;
      let writer = new EventWriter(opening, options);
      const stream: ClientStream = new ClientStream({
        events,
        write: (event) => writer.write(event, (result) => withUnauthorizedNulls(admitted, result)),
        failed: (error) => writer.failed(error),
        ended: (reason) => writer.endOf(reason),
        expiresAtMs: caller && caller.expiresAt * 1000,
        maxLifetimeMs: limits.maxLifetimeMs,
        onEnd(reason) {
          notes.endReason = reason;
          recorder?.onUnsubscribed(reason);
          streams.delete(stream);
          end(reason);
        },
      });
      const moveTo = async (next: Graph): Promise<void> => {
        let releaseOther = next.acquire();
        try {
          // The manifest may have another list by now.
          const found = source.isFromManifest ? await findOperation(graphqlRequest, sources) : source;
          const operation = next.compile(found, graphqlRequest.operationName);
          const moved = admit({ request, graphqlRequest, graph: next, operation });
          const admittedThere = next.admitForCaller(operation, caller, granted);
          const run = { ...inputs, variables: moved.variables, operation: admittedThere, kept: events };
          await next.subscribe(run);
          if (hasEnded) {
            return;
          }
          [releaseGraph, releaseOther] = [releaseOther, releaseGraph];
          graph = next;
          admitted = admittedThere;
          writer = new EventWriter(moved, options);
          if (request.facts instanceof GatewayFacts) {
            request.facts.onOperation(moved);
          }
        } finally {
          releaseOther();
        }
      };
      const hasToMove = (): boolean => !hasEnded && graph !== currentGraph();
      streams.add(stream, async () => {
        if (isRetired()) {
          stream.end('config_reload');
        }
        const busyUntilMs = performance.now() + maxBusyMs;
        while (hasToMove()) {
          try {
            await moveTo(currentGraph());
          } catch (error) {
            if (!(error instanceof PlannerBusyError) || performance.now() > busyUntilMs) {
              throw error;
            }
            await delay(busyMs, undefined, { ref: false });
          }
        }
      });
      return { stream, errors: [] };
    } catch (error) {
      end('subgraph_error');
      throw error;
    }
  };
}

/** A stream that the subgraph refuses is one that fails at once: the client gets its errors in the format of events. */
async function opened(opening: Promise<SubscriptionStream>): Promise<SubscriptionStream> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof SubscriptionFailure)) {
      throw error;
    }
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) };
  }
}

/** The position after which the client wants events: `extensions.resumeAfter`, or `Last-Event-ID` of an EventSource. */
function positionIn({ headers, extensions }: OperationRequest['graphqlRequest']): string | undefined {
  const { resumeAfter } = extensions;
  const lastEventId = headers['last-event-id'];
  const position = typeof resumeAfter === 'string' ? resumeAfter : lastEventId;
  return typeof position === 'string' && position !== '' ? position : undefined;
}
