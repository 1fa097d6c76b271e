import type { SubgraphInterceptor, SubgraphResponse, SubgraphTransport } from '@meridian/executor';
import { SubscriptionFailure } from '@meridian/executor';

import type { Run } from '../operation/run.ts';
import type { EarlyResponse, StageHandlers } from './messages.ts';
import { SubgraphCall, SubgraphResult } from './subgraph-messages.ts';
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
  if (requestSteps === undefined && responseSteps === undefined) {
    return undefined;
  }
  return {
    async interceptor(request, next) {
      const { stages } = request.run;
      if (stages === undefined) {
        return await next(request);
      }
      let sent = request;
      if (requestSteps !== undefined) {
        const call = new SubgraphCall(stages, request);
        const ended = await requestSteps.run(call, request.signal);
        if (ended !== undefined) {
          stages.isChanged = true;
          return responseOf(ended.response);
        }
        sent = call.changed(request);
      }
      const response = await next(sent);
      if (responseSteps === undefined) {
        return response;
      }
      const result = new SubgraphResult(stages, sent, response);
      await responseSteps.run(result, request.signal);
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
      return await subscribe(call.changed(request));
    },
  };
}

function responseOf({ body, data, errors, extensions, status = 200 }: EarlyResponse): SubgraphResponse {
  return { text: body ?? JSON.stringify({ errors, data, extensions }), cacheControl: undefined, status };
}

function rejectionOf(
  subgraph: string,
  { errors = [{ message: 'refused' }] }: EarlyResponse,
): SubscriptionFailure {
  return new SubscriptionFailure(
    errors.map(({ message, extensions = {} }) => ({ kind: 'reported', subgraph, message, extensions })),
  );
}
