import type {
  SubgraphField,
  SubgraphInterceptor,
  SubgraphResponse,
  SubgraphTransport,
} from '@meridian/executor';
import { SubgraphFailure, SubscriptionFailure } from '@meridian/executor';

import type { Run } from '../operation/run.ts';
import type { EarlyResponse, StageHandlers } from './messages.ts';
import { bodyOf } from './message-parts.ts';
import { SubgraphCall, SubgraphFault, SubgraphResult } from './subgraph-messages.ts';
import { stepsAt } from './run-steps.ts';

type Subscribe = NonNullable<SubgraphTransport<Run>['subscribe']>;

/** Code at the stages of requests to subgraphs. */
export interface SubgraphStages {
  /** Outside of deduplication: what is compared there is what code at the stage has made of a request. */
  readonly interceptor: SubgraphInterceptor<Run>;
  readonly aroundSubscribe: (subscribe: Subscribe) => Subscribe;
}

/** Undefined where nothing is at these stages. */
export function subgraphStages(handlers: readonly StageHandlers[]): SubgraphStages | undefined {
  const requestSteps = stepsAt(handlers, 'subgraphRequest');
  const responseSteps = stepsAt(handlers, 'subgraphResponse');
  const failureSteps = stepsAt(handlers, 'subgraphFailure');
  if (requestSteps === undefined && responseSteps === undefined) {
    return undefined;
  }
  return {
    async interceptor(request, next) {
      const { stages } = request.run;
      if (stages === undefined) {
        return await next(request);
      }
      const call = new SubgraphCall(stages, request);
      let sent = request;
      if (requestSteps !== undefined) {
        const ended = await requestSteps.run(call, request.signal);
        if (ended !== undefined) {
          stages.isChanged = true;
          const { handler, response } = ended;
          return requestSteps.use(() => responseOf(response), request.signal, handler);
        }
        sent = requestSteps.use(
          () => call.changed(request, request.run.upload !== undefined),
          request.signal,
        );
      }
      if (responseSteps === undefined && failureSteps === undefined) {
        return await next(sent);
      }
      const { onFields } = sent;
      let fields: readonly SubgraphField[] = [];
      let response: SubgraphResponse;
      try {
        response = await next({
          ...sent,
          onFields(received) {
            fields = received;
            onFields?.(received);
          },
        });
      } catch (error) {
        if (error instanceof SubgraphFailure && error.status !== undefined) {
          await failureSteps?.run(
            new SubgraphFault(stages, { call, sent, fields }, error.status),
            request.signal,
          );
        }
        throw error;
      }
      const result = new SubgraphResult(stages, { call, sent, fields }, response);
      await responseSteps?.run(result, request.signal);
      return result.changed();
    },

    aroundSubscribe: (subscribe) => async (request) => {
      const { stages } = request.run;
      if (requestSteps === undefined || stages === undefined) {
        return await subscribe(request);
      }
      const call = new SubgraphCall(stages, request);
      const ended = await requestSteps.run(call, request.signal);
      if (ended !== undefined) {
        throw rejectionOf(request.subgraph, ended.response);
      }
      return await subscribe(
        requestSteps.use(() => call.changed(request, request.run.upload !== undefined), request.signal),
      );
    },
  };
}

function responseOf({ body, data, errors, extensions, status = 200 }: EarlyResponse): SubgraphResponse {
  const text = body === undefined ? JSON.stringify({ errors, data, extensions }) : bodyOf(body);
  return { text, cacheControl: undefined, status };
}

function rejectionOf(
  subgraph: string,
  { errors = [{ message: 'refused' }] }: EarlyResponse,
): SubscriptionFailure {
  return new SubscriptionFailure(
    errors.map(({ message, extensions = {} }) => ({ kind: 'reported', subgraph, message, extensions })),
  );
}
