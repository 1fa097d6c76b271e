import type { StopSignal } from '@meridian/cancellation';

import type { Handler, Interceptor } from '../interceptors/compose-interceptors.ts';
import type { OperationKind } from '../plan/plan.ts';
import type { StoredParts } from '../run/run-observer.ts';
import type { RunParameters } from '../run/run-parameters.ts';

/** Sends requests to subgraphs, and returns their responses. */
export interface SubgraphTransport<Run = RunParameters> {
  /**
   * Rejects with the signal's reason once that has aborted, else with a `SubgraphFailure` if there is no usable
   * response.
   */
  send(request: SubgraphRequest<Run>): Promise<SubgraphResponse>;
  /**
   * Opens the stream of a subscription. Rejects with the signal's reason once that has aborted, else with a
   * `SubscriptionFailure` where the subgraph refuses it; so does the stream. Absent from a transport without streams.
   */
  subscribe?(request: SubscriptionRequest<Run>): Promise<SubgraphStream>;
}

/** A request for a stream. */
export interface SubscriptionRequest<Run = RunParameters> extends SubgraphRequest<Run> {
  /** The position after which the stream begins; undefined for the events from now on. */
  readonly resumeAfter: string | undefined;
}

/** The events of a subgraph's subscription, in order. `return` ends the stream. */
export type SubgraphStream = Required<
  Pick<AsyncIterator<SubgraphEvent, undefined, undefined>, 'next' | 'return'>
>;

export interface SubgraphEvent {
  /**
   * A GraphQL response with data or errors, as UTF-8 bytes, unchecked. Other members of it are left out. Undefined where
   * nothing has happened: the subgraph has only named the position of the stream.
   */
  readonly response: Buffer | undefined;
  /** `extensions.cursor` of the response. */
  readonly position: string | undefined;
}

export interface SubgraphRequest<Run = RunParameters> {
  readonly subgraph: string;
  readonly operationKind: OperationKind;
  /** A GraphQL request as JSON. */
  readonly body: string;
  /** The body as it is sent, where that is not its text in UTF-8: `content-encoding` names the encoding. */
  readonly encodedBody?: Buffer | undefined;
  /** The body as it is sent to a target with `takesParts`, in place of the others: each part once the subgraph takes it. */
  readonly parts?: AsyncIterable<Uint8Array> | undefined;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: StopSignal;
  /** The run that needs the response. A deduplicated request belongs to the run that caused it. */
  readonly run: Run;
  /** Called with the header fields of each final response, whatever its status. Default: they are not kept. */
  readonly onFields?: ((fields: readonly SubgraphField[]) => void) | undefined;
}

/** A header field of a response, its name in lower case. A field that occurs twice is there twice. */
export type SubgraphField = readonly [name: string, value: string];

export interface SubgraphResponse {
  /** The body, unchecked, as text or as UTF-8 bytes. */
  readonly text: string | Buffer;
  readonly cacheControl: string | undefined;
  /** The HTTP status, for metrics; absent from a transport that has none. */
  readonly status?: number;
  /** The part that a cache had; absent where none was asked. */
  readonly stored?: StoredParts;
  /** The encoding of the body, until it is decoded. */
  readonly contentEncoding?: string | undefined;
}

/** Sends requests to one subgraph. */
export type CallSubgraph<Run = RunParameters> = Handler<SubgraphRequest<Run>, Promise<SubgraphResponse>>;

/** Code around the calls to one subgraph. */
export type SubgraphInterceptor<Run = RunParameters> = Interceptor<
  SubgraphRequest<Run>,
  Promise<SubgraphResponse>
>;
