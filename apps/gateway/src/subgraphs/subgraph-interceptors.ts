import type {
  CallSubgraph,
  SubgraphInterceptor,
  SubgraphRequest,
  SubgraphResponse,
} from '@meridian/executor';
import { SubgraphFailure, composeInterceptors, deduplicateQueries } from '@meridian/executor';

import type { SubgraphSettings } from '../config/subgraph-settings.ts';
import type { Run } from '../operation/run.ts';
import { sendFiles } from '../uploads/send-files.ts';
import { compressRequests } from './compress-requests.ts';
import { keepFields } from './keep-fields.ts';
import { limitRate } from './limit-rate.ts';
import { retryRequests } from './retry-requests.ts';
import { sendHashes } from './send-hashes.ts';
import type { ResponseRules } from './response-fields.ts';
import { responseRules } from './response-fields.ts';
import { signRequests } from './sign-requests.ts';

/** The interceptors that are the same for all subgraphs. */
export interface CommonInterceptors {
  /** Sees each fetch as the plan has it, and what the run gets; undefined where costs are not the sum of fetches. */
  readonly measureFetch?: SubgraphInterceptor<Run> | undefined;
  /** Sees each fetch, also one that joins another, for the telemetry that the file names. */
  readonly observe?: SubgraphInterceptor<Run> | undefined;
  /** Fails the fetches of operations that cost too much in the subgraph; undefined where none has a limit. */
  readonly limitCost?: SubgraphInterceptor<Run> | undefined;
}

export interface CallOptions extends CommonInterceptors {
  readonly settings: SubgraphSettings;
  /** The subgraph's. */
  readonly url: string;
  /** Sees and changes each fetch before others join it. */
  readonly stages: SubgraphInterceptor<Run> | undefined;
  /** Keeps the responses; undefined where none are kept. */
  readonly openCache: ((rules: ResponseRules | undefined) => readonly SubgraphInterceptor<Run>[]) | undefined;
  /** Measures the requests that are sent: a deduplicated one counts once. */
  readonly measure: SubgraphInterceptor<Run>;
  /** Leaves the subgraph alone while it fails; undefined where no circuit is configured. */
  readonly circuit: SubgraphInterceptor<Run> | undefined;
  /** Sends a request with files of a client; undefined where there are none. */
  readonly sendParts: CallSubgraph<Run> | undefined;
}

/**
 * The code around the calls to one subgraph, the outermost first. What its configuration does not ask for is not in the
 * list.
 */
export function subgraphInterceptors({
  settings,
  url,
  measureFetch,
  stages,
  observe,
  limitCost,
  openCache,
  measure,
  circuit,
  sendParts,
}: CallOptions): readonly (SubgraphInterceptor<Run> | undefined)[] {
  const rules = responseRules(settings.responseHeaderRules);
  const { retry, compression } = settings;
  const rateLimit = settings.rateLimit && limitRate<Run>(settings.rateLimit);
  const fields = rules && keepFields(rules);
  return [
    measureFetch,
    stages,
    observe,
    limitCost,
    ...(openCache?.(rules) ?? []),
    // Nothing that needs the whole body, or sends it twice.
    sendParts &&
      sendFiles(
        refuseFiles(settings) ??
          composeInterceptors<SubgraphRequest<Run>, Promise<SubgraphResponse>>(
            [fields, rateLimit, circuit, measure],
            sendParts,
          ),
      ),
    // One or the other: a response with fields for a client is never shared with others.
    fields ?? (settings.deduplicatesQueries ? deduplicateQueries() : undefined),
    retry && retryRequests(retry),
    rateLimit,
    settings.sendsHashes ? sendHashes() : undefined,
    circuit,
    measure,
    compression && compressRequests(compression),
    settings.signature && signRequests(settings.signature, url),
  ];
}

/** Undefined for a subgraph that can have files. */
function refuseFiles({ signature, isHttp2Required }: SubgraphSettings): CallSubgraph<Run> | undefined {
  const reason =
    signature === undefined
      ? isHttp2Required && 'a request with files needs HTTP/1.1, and experimental_http2 is http2only'
      : 'a request with files cannot be signed';
  return reason === false
    ? undefined
    : () => Promise.reject(new SubgraphFailure('SUBREQUEST_HTTP_ERROR', reason));
}
