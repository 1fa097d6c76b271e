import type { IncomingHttpHeaders } from 'node:http';

import type { Caller } from '@meridian/auth';
import type {
  FetchObserver,
  ObservedFetch,
  OperationPlan,
  RunObserver,
  StoredParts,
} from '@meridian/executor';
import { clientClosedStatus } from '@meridian/http';
import type { TraceContext } from '@meridian/telemetry';
import { newSpanId } from '@meridian/telemetry';

import type { OperationType } from '../operation/admitted-operation.ts';
import type { RunError } from '../operation/run.ts';
import type { ClientIdentity } from '../http/client-of.ts';
import { clientOf } from '../http/client-of.ts';
import type { SubgraphServer } from '../subgraphs/connect-subgraphs.ts';
import type { ObservedFacts, SubgraphFacts } from '../selectors/request-facts.ts';
import type { CallObserver } from '../stages/request-stages.ts';
import type { RequestNotes, StreamEnd } from './request-notes.ts';

/**
 * The record of a request. Times are milliseconds since the epoch, with fractions; times that it never
 * reached are absent.
 */
export interface RequestRecord {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly method: string;
  /** The pattern of its path; undefined where no route fits. */
  readonly route: string | undefined;
  readonly status: number;
  readonly client: ClientIdentity;
  readonly startMs: number;
  readonly endMs: number;
  readonly identifiedMs?: number;
  readonly compiledMs?: number;
  readonly admittedMs?: number;
  readonly plannedMs?: number;
  readonly executedMs?: number;
  readonly caller?: Caller | undefined;
  readonly operation?: RecordedOperation;
  /** The estimate. */
  readonly cost?: number;
  /** The labels of progressive overrides that its plans depend on: true for each that is set. */
  readonly labels?: Readonly<Record<string, boolean>> | undefined;
  readonly plan?: OperationPlan;
  readonly fetches: readonly RecordedFetch[];
  readonly coprocessorCalls: readonly RecordedCall[];
  /** Absent where none was opened. */
  readonly subscription?: RecordedSubscription;
  /** As they are: none of this may reach a client. */
  readonly errors: readonly RunError[];
  readonly requestError?: RecordedRequestError;
  /** Absent for a success. */
  readonly outcome?: RecordedOutcome['outcome'];
  /** As clients get them. */
  readonly errorCodes: readonly string[];
  /** For the attributes that the file names; undefined where it names none. */
  readonly facts?: ObservedFacts;
}

/** The outcome of a request, and the codes of its errors. */
export type RecordedOutcome = Pick<RequestNotes, 'outcome' | 'errorCodes'>;

export interface RecordedOperation {
  readonly name: string | undefined;
  readonly type: OperationType;
}

/** A request to a subgraph. */
export interface RecordedFetch extends ObservedFetch {
  readonly spanId: string;
  readonly startMs: number;
  /** Absent for one that was under way when the request ended. */
  readonly endMs: number | undefined;
  /** The number of errors that the subgraph reported. */
  readonly errorCount: number;
  readonly failure: unknown;
  /** The part that the cache of responses had; undefined where it was not asked. */
  readonly stored?: StoredParts | undefined;
  readonly server: SubgraphServer | undefined;
  readonly facts: SubgraphFacts | undefined;
}

/** A subscription from its opening to the end of the request. */
export interface RecordedSubscription {
  readonly openedMs: number;
  readonly endReason: StreamEnd;
  readonly eventCount: number;
  /** The first of them: a subscription may last for days. */
  readonly events: readonly RecordedEvent[];
}

export interface RecordedEvent {
  /** The subgraph's event was there. */
  readonly startMs: number;
  /** The response for it was written. */
  readonly endMs: number;
  readonly errorCount: number;
}

/** The most events of a subscription that are recorded, and about the most of their fetches, calls and errors. */
const maxRecordedOfStream = 100;

/** A request to a coprocessor. */
export interface RecordedCall {
  readonly spanId: string;
  readonly stage: string;
  readonly url: string;
  readonly startMs: number;
  /** Absent for one that was under way when the request ended. */
  readonly endMs: number | undefined;
  readonly hasFailed: boolean;
}

/** The reason for a rejection. */
export interface RecordedRequestError {
  readonly code: string;
  /** Undefined if it would quote the request. */
  readonly reason: string | undefined;
  /** The underlying cause; undefined when there is no other. */
  readonly cause: unknown;
}

/** The header fields by which a subgraph continues a trace. */
export type TraceFields = (trace: TraceContext) => Readonly<Record<string, string>>;

type Written<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/**
 * Records the progress of one request, as the stages report it. It exists only for requests that are
 * followed.
 */
export class RequestRecorder implements RunObserver {
  readonly #record: Written<RequestRecord>;
  readonly #fetches: Written<RecordedFetch>[] = [];
  readonly #calls: Written<RecordedCall>[] = [];
  readonly #events: RecordedEvent[] = [];
  #subscription: Written<RecordedSubscription> | undefined;
  #eventMs = 0;
  readonly #traceFields: TraceFields | undefined;
  #servers: ReadonlyMap<string, SubgraphServer> = new Map();

  constructor(
    {
      headers,
      ...request
    }: Pick<RequestRecord, 'requestId' | 'trace' | 'method'> & { readonly headers: IncomingHttpHeaders },
    { traceFields }: { readonly traceFields: TraceFields | undefined },
  ) {
    this.#traceFields = traceFields;
    this.#record = {
      ...request,
      route: undefined,
      status: 0,
      client: clientOf(headers),
      startMs: nowMs(),
      endMs: 0,
      fetches: this.#fetches,
      coprocessorCalls: this.#calls,
      errors: [],
      errorCodes: [],
    };
  }

  /** Adds the facts for the attributes that the file names. */
  follow(facts: ObservedFacts): void {
    this.#record.facts = facts;
  }

  /** Records the caller and the operation. */
  onIdentified(caller: Caller | undefined): void {
    this.#record.caller = caller;
    this.#record.identifiedMs = nowMs();
  }

  /** Records the operation, and the servers of the subgraphs that it may ask. */
  onCompiled({ name, type }: RecordedOperation, servers: ReadonlyMap<string, SubgraphServer>): void {
    this.#servers = servers;
    this.#record.operation = { name, type };
    this.#record.compiledMs = nowMs();
  }

  onAdmitted(cost: number): void {
    this.#record.cost = cost;
    this.#record.admittedMs = nowMs();
  }

  onLabels(labels: RequestRecord['labels']): void {
    this.#record.labels = labels;
  }

  onPlan(plan: OperationPlan): void {
    this.#record.plan = plan;
    this.#record.plannedMs = nowMs();
  }

  onFetch(fetch: ObservedFetch): FetchObserver {
    const { trace } = this.#record;
    const recorded: Written<RecordedFetch> = {
      ...fetch,
      spanId: newSpanId(),
      startMs: nowMs(),
      endMs: undefined,
      errorCount: 0,
      failure: undefined,
      server: this.#servers.get(fetch.subgraph),
      facts: this.#record.facts?.expectSubrequest(fetch.subgraph),
    };
    if (this.#subscription === undefined || this.#fetches.length < maxRecordedOfStream) {
      this.#fetches.push(recorded);
    }
    return {
      headers: this.#traceFields?.({ ...trace, spanId: recorded.spanId }) ?? {},
      onResponse(errorCount, stored) {
        recorded.endMs = nowMs();
        recorded.stored = stored;
        recorded.errorCount = errorCount;
      },
      onFailure(error) {
        recorded.endMs = nowMs();
        recorded.failure = error;
      },
    };
  }

  /** Records a request to a coprocessor, until `end` is called. */
  onCoprocessorCall(stage: string, url: string): CallObserver {
    const call: Written<RecordedCall> = {
      stage,
      url,
      spanId: newSpanId(),
      startMs: nowMs(),
      endMs: undefined,
      hasFailed: false,
    };
    if (this.#calls.length < maxRecordedOfStream) {
      this.#calls.push(call);
    }
    return {
      headers: this.#traceFields?.({ ...this.#record.trace, spanId: call.spanId }),
      end(hasSucceeded) {
        call.endMs = nowMs();
        call.hasFailed = !hasSucceeded;
      },
    };
  }

  onSubscribed(): void {
    this.#subscription = {
      openedMs: nowMs(),
      // The request may end before the stream hears that the client has left.
      endReason: 'client_disconnect',
      eventCount: 0,
      events: this.#events,
    };
    this.#record.subscription = this.#subscription;
  }

  onEvent(): void {
    this.#eventMs = nowMs();
  }

  /** Records that the response for the event before is written. */
  onEventWritten(errorCount: number): void {
    if (this.#subscription !== undefined) {
      this.#subscription.eventCount += 1;
      if (this.#events.length < maxRecordedOfStream) {
        this.#events.push({ startMs: this.#eventMs, endMs: nowMs(), errorCount });
      }
    }
  }

  onUnsubscribed(reason: StreamEnd): void {
    if (this.#subscription !== undefined) {
      this.#subscription.endReason = reason;
    }
  }

  onExecuted(errors: readonly RunError[]): void {
    this.#record.errors = errors;
    this.#record.executedMs = nowMs();
  }

  /** Records the errors of a later part of the result. */
  onLaterErrors(errors: readonly RunError[]): void {
    if (this.#record.errors.length < maxRecordedOfStream) {
      this.#record.errors = [...this.#record.errors, ...errors];
    }
  }

  onRequestError(requestError: RecordedRequestError): void {
    this.#record.requestError = requestError;
  }

  /** Records the end: the response was sent, or the client hung up. */
  finish(
    route: string | undefined,
    status: number,
    { outcome, errorCodes = [] }: RecordedOutcome,
  ): RequestRecord {
    this.#record.outcome = status === clientClosedStatus ? 'cancelled' : outcome;
    this.#record.errorCodes = errorCodes;
    this.#record.route = route;
    this.#record.status = status;
    this.#record.endMs = nowMs();
    this.#record.facts?.onEnd(status);
    return this.#record;
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
