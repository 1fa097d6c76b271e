import type { StoredParts, SubgraphField, SubgraphRequest, SubgraphResponse } from '@meridian/executor';
import { SubgraphFailure } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';

import type { Variables } from '../operation/admitted-operation.ts';
import { parseMembers } from './parse-members.ts';

type Members = Readonly<Record<string, unknown>>;

type ObservedResponse = Pick<SubgraphResponse, 'status' | 'text' | 'stored'> &
  Partial<Pick<SubgraphResponse, 'cacheControl'>>;

const nothing: Members = {};
const noErrors: readonly unknown[] = [];

/** The facts of a request to a subgraph. Its texts are parsed on demand, once. */
export class SubrequestFacts {
  readonly subgraph: string;
  operationKind = '';
  headers: Readonly<Record<string, string>> = {};
  /** The header fields of its response; none where it joined the request of another. */
  responseFields: readonly SubgraphField[] = [];
  /** The HTTP status; undefined until there is a response, and where there is none. */
  status: number | undefined = undefined;
  /** The part that the cache of responses had; undefined where it was not asked. */
  stored: StoredParts | undefined = undefined;
  /** Of the response, as the run gets it. */
  cacheControl: string | undefined = undefined;
  /** The code of a request without a usable response. */
  failure: string | undefined = undefined;
  requestBytes = 0;
  /** The length of the decoded body. */
  responseBytes: number | undefined = undefined;
  #sent: Members | string = nothing;
  #received: string | Buffer | undefined = undefined;
  #members: Members = nothing;

  constructor(subgraph: string) {
    this.subgraph = subgraph;
  }

  get operationName(): string | undefined {
    const { operationName } = this.#sentMembers();
    return typeof operationName === 'string' ? operationName : undefined;
  }

  get query(): string | undefined {
    const { query } = this.#sentMembers();
    return typeof query === 'string' ? query : undefined;
  }

  get variables(): Variables {
    const { variables } = this.#sentMembers();
    return isRecord(variables) ? variables : nothing;
  }

  /** As the subgraph reports them: none of this may reach a client. */
  get errors(): readonly unknown[] {
    const { errors } = this.#receivedMembers();
    return Array.isArray(errors) ? errors : noErrors;
  }

  get data(): unknown {
    return this.#receivedMembers()['data'];
  }

  onSent({
    operationKind,
    headers,
    body,
  }: Pick<SubgraphRequest<unknown>, 'operationKind' | 'headers' | 'body'>): void {
    this.operationKind = operationKind;
    this.headers = headers;
    this.requestBytes = Buffer.byteLength(body);
    this.#sent = body;
  }

  onResponse({ status, text, stored, cacheControl }: ObservedResponse): void {
    this.status = status;
    this.stored = stored;
    this.cacheControl = cacheControl;
    this.responseBytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    this.#received = text;
  }

  onFailure(error: unknown): void {
    if (error instanceof SubgraphFailure) {
      this.status = error.status;
      this.failure = error.code;
      this.#received = error.body;
    } else {
      this.failure = 'CANCELLED';
    }
  }

  #sentMembers(): Members {
    if (typeof this.#sent === 'string') {
      this.#sent = parseMembers(this.#sent) ?? nothing;
    }
    return this.#sent;
  }

  #receivedMembers(): Members {
    if (this.#received !== undefined) {
      this.#members = parseMembers(this.#received.toString()) ?? nothing;
      this.#received = undefined;
    }
    return this.#members;
  }
}
