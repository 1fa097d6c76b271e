import { composeInterceptors } from '@meridian/executor';

import type { OperationInterceptor, OperationRequest } from '../interceptors/gateway-request.ts';
import type { RunResult } from '../operation/run.ts';
import { planningCaller } from '../operation/run.ts';
import { chooseLabels } from '../overrides/choose-labels.ts';
import type { AppStages } from '../stages/stages.ts';
import type { OpenedStream, StreamOpenerOptions } from '../streams/open-stream.ts';
import { createStreamOpener } from '../streams/open-stream.ts';

export interface RunOptions extends StreamOpenerOptions {
  readonly aroundOperation: readonly (OperationInterceptor | undefined)[];
  readonly stages: AppStages | undefined;
}

/** Admits operations for their callers, and executes them or opens their streams. */
export function createRunOperations({ aroundOperation, stages, ...options }: RunOptions) {
  const { addedHeaders } = options;
  const openStream = createStreamOpener(options);
  return {
    execute: composeInterceptors<OperationRequest, Promise<RunResult>>(
      aroundOperation,
      (operationRequest) => {
        const { request, graphqlRequest, graph, operation, variables, cost } = operationRequest;
        const { caller, signal, recorder, facts } = request;
        request.isAdmitted = true;
        const admitted = graph.admitForCaller(operation, caller, stages?.granted(request));
        request.received = graph.passesFieldsOn ? [] : undefined;
        recorder?.onAdmitted(cost);

        // 5-execute: fetches from the subgraphs
        return graph.execute({
          operation: admitted,
          variables,
          overrideLabels: graph.labels && chooseLabels(operationRequest, admitted),
          request: graphqlRequest,
          identity: caller,
          caller: planningCaller(caller, graphqlRequest),
          addedHeaders: addedHeaders(request),
          received: request.received,
          signal,
          observer: recorder,
          facts,
          stages: request.stages,
          upload: request.upload,
        });
      },
    ),
    subscribe: composeInterceptors<OperationRequest, Promise<OpenedStream>>(aroundOperation, (operation) => {
      operation.request.isAdmitted = true;
      return openStream(operation);
    }),
  };
}
