import type { SubgraphRequest, SubgraphResponse } from '@meridian/executor';

import type { SubgraphRequestMessage, SubgraphResponseMessage } from './messages.ts';
import type { RequestStages } from './request-stages.ts';
import { Message } from './request-stages.ts';
import { ChangeableHeaders, refusedOfSubgraph } from './stage-headers.ts';

export class SubgraphCall<Run> extends Message implements SubgraphRequestMessage {
  readonly subgraph: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly headers: ChangeableHeaders;
  body: string;

  constructor(stages: RequestStages, request: SubgraphRequest<Run>) {
    super(stages);
    this.subgraph = request.subgraph;
    this.type = request.operationKind;
    this.headers = new ChangeableHeaders(request.headers, refusedOfSubgraph);
    this.body = request.body;
  }

  /** The request as it is now. The one that came where nothing has changed. */
  changed<Request extends SubgraphRequest<Run>>(request: Request): Request {
    if (!this.headers.isChanged && this.body === request.body) {
      return request;
    }
    this.stages.isChanged = true;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each of them is a text
    const headers = this.headers.fields as Readonly<Record<string, string>>;
    return { ...request, headers, body: this.body };
  }
}

export class SubgraphResult<Run> extends Message implements SubgraphResponseMessage {
  readonly subgraph: string;
  readonly type: 'query' | 'mutation';
  readonly status: number | undefined;
  readonly cacheControl: string | undefined;
  readonly #response: SubgraphResponse;
  #body: string | undefined;

  constructor(stages: RequestStages, request: SubgraphRequest<Run>, response: SubgraphResponse) {
    super(stages);
    this.#response = response;
    this.subgraph = request.subgraph;
    this.type = request.operationKind === 'mutation' ? 'mutation' : 'query';
    this.status = response.status;
    this.cacheControl = response.cacheControl;
  }

  get body(): string {
    return this.#body ?? this.#response.text.toString();
  }

  set body(text: string) {
    this.#body = text;
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
