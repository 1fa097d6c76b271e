import { randomUUID } from 'node:crypto';

import type { SubgraphField, SubgraphRequest, SubgraphResponse } from '@meridian/executor';

import type { SubgraphFailureMessage, SubgraphRequestMessage, SubgraphResponseMessage } from './messages.ts';
import { bodyOf } from './message-parts.ts';
import type { RequestStages } from './request-stages.ts';
import { Message } from './request-stages.ts';
import { ChangeableHeaders, refusedOfSubgraph } from './stage-headers.ts';

export class SubgraphCall<Run> extends Message implements SubgraphRequestMessage {
  readonly subgraph: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly headers: ChangeableHeaders;
  body: string;
  #id: string | undefined;

  constructor(stages: RequestStages, request: SubgraphRequest<Run>) {
    super(stages);
    this.subgraph = request.subgraph;
    this.type = request.operationKind;
    this.headers = new ChangeableHeaders(request.headers, refusedOfSubgraph);
    this.body = request.body;
  }

  get requestId(): string {
    this.#id ??= randomUUID().replaceAll('-', '');
    return this.#id;
  }

  /** The request as it is now. The one that came where nothing has changed. */
  changed<Request extends SubgraphRequest<Run>>(request: Request, hasFiles: boolean): Request {
    if (!this.headers.isChanged && this.body === request.body) {
      return request;
    }
    this.stages.isChanged = true;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of them is a text
    const headers = this.headers.fields as Readonly<Record<string, string>>;
    return { ...request, headers, body: bodyOf(this.body, hasFiles) };
  }
}

/** A request as it was sent, and the header fields that came back. */
export interface SentRequest<Run> {
  readonly call: SubgraphCall<Run>;
  readonly sent: SubgraphRequest<Run>;
  readonly fields: readonly SubgraphField[];
}

/** The members of a message about the response to a request. */
class SubgraphOutcome<Run> extends Message {
  readonly fields: readonly SubgraphField[];
  readonly #call: SubgraphCall<Run>;
  readonly #sent: SubgraphRequest<Run>;

  constructor(stages: RequestStages, { call, sent, fields }: SentRequest<Run>) {
    super(stages);
    this.fields = Object.freeze(fields);
    this.#call = call;
    this.#sent = sent;
  }

  /** A copy: requests share their header fields. */
  get sent(): SubgraphResponseMessage['sent'] {
    const { headers, body } = this.#sent;
    return Object.freeze({ headers: Object.freeze({ ...headers }), body });
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get subgraph(): string {
    return this.#sent.subgraph;
  }

  get type(): 'query' | 'mutation' {
    return this.#sent.operationKind === 'mutation' ? 'mutation' : 'query';
  }
}

export class SubgraphResult<Run> extends SubgraphOutcome<Run> implements SubgraphResponseMessage {
  readonly #response: SubgraphResponse;
  #body: string | undefined;

  constructor(stages: RequestStages, request: SentRequest<Run>, response: SubgraphResponse) {
    super(stages, request);
    this.#response = response;
  }

  get status(): number | undefined {
    return this.#response.status;
  }

  get cacheControl(): string | undefined {
    return this.#response.cacheControl;
  }

  get body(): string {
    return this.#body ?? this.#response.text.toString();
  }

  set body(text: string) {
    this.#body = bodyOf(text);
  }

  /** The response as it is now. The one that came where nothing has changed: equal requests share it. */
  changed(): SubgraphResponse {
    if (this.#body === undefined) {
      return this.#response;
    }
    this.stages.isChanged = true;
    return { ...this.#response, text: this.#body };
  }
}

/** A request that got a response with an error status. */
export class SubgraphFault<Run> extends SubgraphOutcome<Run> implements SubgraphFailureMessage {
  readonly status: number;

  constructor(stages: RequestStages, request: SentRequest<Run>, status: number) {
    super(stages, request);
    this.status = status;
  }
}
