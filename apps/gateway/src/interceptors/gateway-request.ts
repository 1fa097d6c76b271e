import type { Caller } from '@meridian/auth';
import type { Interceptor } from '@meridian/executor';
import type { Exchange, HttpResponse, RequestContext, RequestSignal } from '@meridian/http';

import type { Graph } from '../graph/graph.ts';
import type { ResponseMediaType } from '../http/media-types.ts';
import type { Variables } from '../operation/admitted-operation.ts';
import type { CompiledOperation } from '../operation/compiled-operation.ts';
import type { GraphqlRequest } from '../operation/graphql-request.ts';
import type { ObservedFacts } from '../selectors/request-facts.ts';
import type { RequestStages } from '../stages/request-stages.ts';
import type { ReceivedResponses } from '../subgraphs/response-fields.ts';
import type { CostResult } from '../telemetry/cost-metrics.ts';
import type { RequestNotes } from '../telemetry/request-notes.ts';
import type { RequestRecorder } from '../telemetry/request-recorder.ts';
import type { Upload } from '../uploads/upload.ts';

/** A request under way, with what the stages have found out so far. */
export interface GatewayRequest {
  /** As the stages see it: code at the first one may replace it. */
  exchange: Exchange;
  /** Its id, trace and log. */
  readonly context: RequestContext;
  /** Aborts at the deadline of the request, which can be ended for a response in parts, and when its client hangs up. */
  readonly signal: RequestSignal;
  /** For its log line and its metrics. */
  readonly notes: RequestNotes;
  /** Absent unless it is recorded for a trace or for `pnpm explain`. */
  readonly recorder: RequestRecorder | undefined;
  /** For the telemetry that the file names; undefined where it names none. */
  facts: ObservedFacts | undefined;
  /** Of the response; undefined until the request is known to be for the graph. */
  mediaType: ResponseMediaType | undefined;
  /** True once the caller is known, or known to be anonymous. */
  isIdentified: boolean;
  caller: Caller | undefined;
  /** Of its run; undefined unless rules pass header fields of subgraphs on. */
  received: ReceivedResponses | undefined;
  /** The header fields of subgraphs for its response: each name, followed by its value. */
  subgraphFields: readonly string[] | undefined;
  /** True once its operation may run. */
  isAdmitted: boolean;
  /** The labels of progressive overrides that its operation runs with; undefined where its plans depend on none. */
  overrideLabels: ReadonlySet<string> | undefined;
  /**
   * The header fields that conditions of these labels have read, and undefined for what no field alone decides. Undefined
   * where nothing was read.
   */
  readForLabels: Set<string | undefined> | undefined;
  /** For the code at its stages; undefined where there is none. */
  stages: RequestStages | undefined;
  /** The files that come with it; undefined for a request without any. */
  upload: Upload | undefined;
}

/** The operation of a request, once it is known. */
export interface OperationRequest {
  readonly request: GatewayRequest;
  /** As the client sent it. */
  readonly graphqlRequest: GraphqlRequest;
  readonly graph: Graph;
  readonly operation: CompiledOperation;
  readonly variables: Variables;
  /** The estimate. */
  readonly cost: number;
  readonly costResult: CostResult;
}

/** Code around a whole request: `next` leads to all stages. */
export type RequestInterceptor = Interceptor<GatewayRequest, HttpResponse | Promise<HttpResponse>>;

/**
 * Code around an operation: `next` leads to the rest of its admission, and to its execution. The result of a subscription
 * is its open stream.
 */
export type OperationInterceptor = <Result extends { readonly errors: readonly unknown[] }>(
  operation: OperationRequest,
  next: (operation: OperationRequest) => Promise<Result>,
) => Promise<Result>;
