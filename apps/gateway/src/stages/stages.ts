import type { HttpResponse } from '@meridian/http';
import { dropParts } from '@meridian/http';

import { OperationExchange } from '../http/operation-exchange.ts';
import type {
  GatewayRequest,
  OperationInterceptor,
  RequestInterceptor,
} from '../interceptors/gateway-request.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { GraphqlRequest } from '../operation/graphql-request.ts';
import type { OperationSource } from '../operation/operation-source.ts';
import { unresolvedLabelsKey } from '../selectors/context-values.ts';
import { GatewayFacts } from '../selectors/gateway-facts.ts';
import type { RequestFacts } from '../selectors/request-facts.ts';
import { earlyEnd } from './early-end.ts';
import { grantedPolicies } from './granted-policies.ts';
import type { StageHandlers } from './messages.ts';
import type { ResultPlace, ShownResult } from './operation-messages.ts';
import { AdmittedRequest, RequestedOperation, ShownMessage } from './operation-messages.ts';
import { RequestStages } from './request-stages.ts';
import { varyingBy, withOwnFields, withoutStorage } from './restrict-caching.ts';
import type { RouterReaders } from './router-messages.ts';
import { ReceivedRequest, SentResponse } from './router-messages.ts';
import type { Ended, Steps } from './run-steps.ts';
import { stepsAt } from './run-steps.ts';
import { cookieFields, refusedAfterIdentity } from './stage-headers.ts';

/** Code at the stages of requests to one app. A member that nothing is configured for is undefined. */
export type AppStages = NonNullable<ReturnType<typeof appStages>>;

export interface AppStagesOptions extends RouterReaders {
  /** True when clients connect over TLS. */
  readonly isSecure: boolean;
  /** The fields that credentials come in, besides the usual ones. In lower case. */
  readonly credentialFields: readonly string[];
  /** The labels of progressive overrides that only code at the stages can set. */
  readonly unresolvedLabels: () => readonly string[];
}

/** The stages of Apollo Router around requests and operations; undefined where nothing is at any of them. */
export function appStages(
  handlers: readonly StageHandlers[],
  { credentialFields, isSecure, unresolvedLabels, ...readers }: AppStagesOptions,
) {
  if (handlers.length === 0) {
    return undefined;
  }
  const refuse = refusedAfterIdentity(credentialFields);
  const routerRequest = stepsAt(handlers, 'routerRequest');
  const routerResponse = stepsAt(handlers, 'routerResponse');
  const supergraphRequest = stepsAt(handlers, 'supergraphRequest');
  const executionRequest = stepsAt(handlers, 'executionRequest');
  const resultSteps = [
    stepsAt(handlers, 'executionResponse'),
    stepsAt(handlers, 'supergraphResponse'),
  ].filter((steps) => steps !== undefined);
  return {
    /** Begins a request whose message is checked. It may replace the exchange of the request. */
    receive(request: GatewayRequest): Promise<void> | void {
      const { exchange } = request;
      const isMember = exchange instanceof OperationExchange;
      const batch = isMember ? exchange.batch : undefined;
      const factsOf = (): RequestFacts => (request.facts ??= new GatewayFacts(request, { isSecure }));
      const stages = new RequestStages(request, factsOf, { isMember, batch });
      request.stages = stages;
      const labels = unresolvedLabels();
      if (labels.length > 0) {
        // Code at the stages may change it.
        stages.context.set(unresolvedLabelsKey, [...labels]);
      }
      if (batch !== undefined || routerRequest === undefined) {
        return undefined;
      }
      const message = new ReceivedRequest(stages, request, readers);
      const use = (): void => void (request.exchange = message.exchange());
      return through(routerRequest, message, request)?.then(use) ?? use();
    },

    /** The request for an operation as it is to be looked up; the same object where nothing has changed. */
    prepare:
      supergraphRequest &&
      ((request: GatewayRequest, graphqlRequest: GraphqlRequest, { text }: OperationSource) => {
        const message = new RequestedOperation(stagesOf(request), graphqlRequest, { text, refuse });
        return after(through(supergraphRequest, message, request), () =>
          supergraphRequest.use(() => message.changed(), request.signal),
        );
      }),

    aroundOperation:
      executionRequest &&
      ((async (operation, next) => {
        const { request } = operation;
        const message = new AdmittedRequest(stagesOf(request), operation, refuse);
        const running = through(executionRequest, message, request);
        if (running !== undefined) {
          await running;
        }
        return await next(message.changed());
      }) satisfies OperationInterceptor),

    /** The policies that code has granted for a request. */
    granted(request: GatewayRequest): ReadonlySet<string> {
      const stages = stagesOf(request);
      const policies = grantedPolicies(stages.context);
      stages.isChanged ||= policies.size > 0;
      return policies;
    },

    /** A result as the client is to get it; the same object where nothing has changed. */
    show:
      resultSteps.length === 0
        ? undefined
        : (
            request: GatewayRequest,
            operation: Pick<CompiledOperation, 'name' | 'type'>,
            { result, ...place }: ResultPlace & { readonly result: ShownResult },
          ) =>
            resultSteps.reduce<ShownResult | Promise<ShownResult>>(
              (shown, steps) =>
                after(shown, (current) => {
                  const message = new ShownMessage(stagesOf(request), operation, {
                    ...place,
                    result: current,
                  });
                  return after(through(steps, message, request), () =>
                    steps.use(() => message.changed(), request.signal),
                  );
                }),
              result,
            ),

    /** The response of a result, which caches keep only where they can tell requests apart. */
    finish(response: HttpResponse, request: GatewayRequest): HttpResponse {
      const { isChanged, read, fields, status = response.status } = stagesOf(request);
      const changed =
        fields === undefined && status === response.status
          ? response
          : withOwnFields({ ...response, status }, fields ?? new Map());
      const cookies = cookieFields(fields?.get('set-cookie'));
      if (cookies.length > 0) {
        request.subgraphFields = [...(request.subgraphFields ?? []), ...cookies];
      }
      if (changed.headers?.['ETag'] === undefined) {
        return changed;
      }
      return isChanged ? withoutStorage(changed) : varyingBy(changed, read);
    },

    aroundResponse: routerResponse && aroundResponse(routerResponse),
  };
}

/** @throws {EarlyEnd} where a step ends the request; also as a rejection */
function through<Message>(
  steps: Steps<Message>,
  message: Message,
  request: GatewayRequest,
): Promise<void> | undefined {
  const end = (ended: Ended | undefined): void => {
    if (ended !== undefined) {
      const { handler, response } = ended;
      const isMember = request.stages?.isMember === true;
      const early = steps.use(() => earlyEnd(handler, response, isMember), request.signal, handler);
      // The throttle counts rejections.
      request.isAdmitted ||= early.response.status < 400;
      if (early.cookies.length > 0) {
        request.subgraphFields = early.cookies;
      }
      throw early;
    }
  };
  const running = steps.run(message, request.signal);
  if (running instanceof Promise) {
    return running.then(end);
  }
  end(running);
  return undefined;
}

function stagesOf({ stages }: GatewayRequest): RequestStages {
  if (stages === undefined) {
    throw new Error('The request has not passed its first stage');
  }
  return stages;
}

function aroundResponse(steps: Steps<SentResponse>): RequestInterceptor {
  return async (request, next) => {
    const response = await next(request);
    const { stages } = request;
    if (stages === undefined || stages.isItem) {
      return response;
    }
    const message = new SentResponse(stages, response, request.subgraphFields);
    try {
      const ended = steps.run(message, request.signal);
      if (ended !== undefined) {
        await ended;
      }
      const changed = steps.use(() => message.changed(), request.signal);
      request.subgraphFields = message.subgraphFields;
      return changed;
    } catch (error) {
      // They belong to the response that has failed.
      request.subgraphFields = undefined;
      dropParts(response.body);
      throw error;
    }
  };
}

/** Continues with a value that may be a promise: at once, if it is not. */
function after<Value, Next>(
  value: Value | Promise<Value>,
  proceed: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(proceed) : proceed(value);
}
