import type { Caller } from '@meridian/auth';
import type { StopSignal } from '@meridian/cancellation';
import type { TraceContext } from '@meridian/telemetry';

import type { ResponseMediaType } from '../http/media-types.ts';
import type { RequestFacts } from '../selectors/request-facts.ts';
import type { StageCaller, StageContext, StageMessage } from './messages.ts';
import type { FieldValue } from './stage-headers.ts';

/** Observes a call to another program at a stage. */
export interface CallObserver {
  /** By which it continues the trace; undefined for none. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly end: (hasSucceeded: boolean) => void;
}

/** The part of a request that its stages know. */
interface StagedRequest {
  readonly context: { readonly id: string; readonly trace: TraceContext };
  readonly exchange: { readonly method: string };
  readonly mediaType: ResponseMediaType | undefined;
  readonly signal: StopSignal;
  readonly recorder: { onCoprocessorCall(stage: string, url: string): CallObserver } | undefined;
  readonly caller: Caller | undefined;
  readonly notes: { noted: Readonly<Record<string, unknown>> | undefined };
}

/** The state of the code at the stages of one request. */
export class RequestStages {
  readonly context: StageContext;
  /** True for an operation of a batch, whose router stages are the batch's. */
  readonly isItem: boolean;
  /** True where the body of the response becomes a member of a message: of a batch, a WebSocket, or a tool's result. */
  readonly isMember: boolean;
  /** True once the response is no longer what the client's request alone would get. */
  isChanged = false;
  /** The header fields of the client's request that were read. */
  readonly read = new Set<string>();
  /** Changed fields of the response, from stages that have no head of their own. */
  fields: ReadonlyMap<string, FieldValue | undefined> | undefined;
  /** Of the response, where a stage without a head of its own has set it. */
  status: number | undefined;
  readonly request: StagedRequest;
  readonly #factsOf: () => RequestFacts;
  #caller: StageCaller | undefined;
  #work: AbortController | undefined;
  readonly #onEnd = (): void => this.#work?.abort(this.request.signal.reason);

  /** @param factsOf called for the conditions of a stage */
  constructor(
    request: StagedRequest,
    factsOf: () => RequestFacts,
    { isMember, batch }: { readonly isMember: boolean; readonly batch: RequestStages | undefined },
  ) {
    this.request = request;
    this.#factsOf = factsOf;
    this.isItem = batch !== undefined;
    this.isMember = isMember;
    this.context = new Map(batch?.context);
  }

  get abortSignal(): AbortSignal {
    if (this.#work === undefined) {
      const { signal } = this.request;
      this.#work = new AbortController();
      signal.addEventListener('abort', this.#onEnd);
      if (signal.aborted) {
        this.#onEnd();
      }
    }
    return this.#work.signal;
  }

  /** Aborts what code at the stages so far waits for; code at later ones has another signal. */
  abortWork(reason: unknown): void {
    this.#work?.abort(reason);
    this.#work = undefined;
    this.request.signal.removeEventListener('abort', this.#onEnd);
  }

  get facts(): RequestFacts {
    return this.#factsOf();
  }

  get caller(): StageCaller | undefined {
    const { caller } = this.request;
    this.#caller ??= caller && copyOf(caller);
    return this.#caller;
  }

  /** Called with a name, or without one where all fields are read: caches cannot tell requests apart then. */
  onRead(name: string | undefined): void {
    if (name === undefined) {
      this.isChanged = true;
    } else {
      this.read.add(name);
    }
  }

  note(members: Readonly<Record<string, unknown>>): void {
    const { notes } = this.request;
    notes.noted = { ...notes.noted, ...members };
  }
}

/** Requests with one token share their caller: what code at a stage does to its own changes no one's rights. */
export function copyOf({ tenantId, subject, issuer, scopes, claims }: Caller): StageCaller {
  return {
    tenantId,
    subject,
    issuer,
    scopes: new Set(scopes),
    ...(claims && { claims: structuredClone(claims) }),
  };
}

/** The members of every message. */
export class Message {
  protected readonly stages: RequestStages;
  #signal: AbortSignal | undefined;

  /** The request of a message, for code that is part of the gateway. */
  static requestOf(message: StageMessage): RequestStages {
    if (message instanceof Message) {
      return message.stages;
    }
    throw new TypeError('The message is not of a request');
  }

  constructor(stages: RequestStages) {
    this.stages = stages;
  }

  get id(): string {
    return this.stages.request.context.id;
  }

  get context(): StageContext {
    return this.stages.context;
  }

  get caller(): StageCaller | undefined {
    return this.stages.caller;
  }

  /** The same one whenever it is read, also after it aborted. */
  get signal(): AbortSignal {
    this.#signal ??= this.stages.abortSignal;
    return this.#signal;
  }

  // Code takes such functions from their message: `({ note }) => note(…)`.
  get note(): StageMessage['note'] {
    return (members) => this.stages.note(members);
  }
}
