import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

import type { Caller } from '@meridian/auth';
import type { Exchange, HttpResponse } from '@meridian/http';
import { isWhole } from '@meridian/http';

import type { GatewayRequest } from '../interceptors/gateway-request.ts';
import type { RouterRequest, RouterResponse } from './messages.ts';
import { bodyOf, statusOf } from './message-parts.ts';
import type { RequestStages } from './request-stages.ts';
import { Message, copyOf } from './request-stages.ts';
import { withOwnFields, withoutStorage } from './restrict-caching.ts';
import {
  ChangeableHeaders,
  StageRuleError,
  cookieFields,
  refusedOfClient,
  refusedOfParts,
  refusedOfResponse,
} from './stage-headers.ts';
import { ChangedExchange } from './changed-exchange.ts';

export interface RouterReaders {
  /** The body of a request, without content coding. */
  readonly readBody: (request: GatewayRequest) => Buffer | Promise<Buffer>;
  /** The caller of a request with these header fields, from this address. */
  readonly identify: (
    sender: Pick<Exchange, 'headers' | 'peer'>,
  ) => Caller | undefined | Promise<Caller | undefined>;
}

export class ReceivedRequest extends Message implements RouterRequest {
  readonly headers: ChangeableHeaders;
  readonly #request: GatewayRequest;
  readonly #exchange: Exchange;
  readonly #readers: RouterReaders;
  #url: string;
  #body: Buffer | undefined;

  constructor(stages: RequestStages, request: GatewayRequest, readers: RouterReaders) {
    super(stages);
    const { exchange } = request;
    this.#request = request;
    this.#exchange = exchange;
    this.#url = exchange.url;
    this.#readers = readers;
    this.headers = new ChangeableHeaders(exchange.headers, refusedOfClient, stages);
  }

  get method(): string {
    return this.#exchange.method;
  }

  get url(): string {
    return this.#url;
  }

  set url(url: string) {
    if (typeof url !== 'string' || !target.test(url) || pathOf(url) !== pathOf(this.#exchange.url)) {
      throw new StageRuleError('a request keeps its path; another query is percent-encoded');
    }
    this.#url = url;
  }

  get peer(): string | undefined {
    this.stages.onRead(undefined);
    return this.#exchange.peer;
  }

  get readBody(): RouterRequest['readBody'] {
    return async () => {
      if (this.#exchange.method !== 'POST') {
        return '';
      }
      this.#body ??= await this.#readers.readBody(this.#request);
      return this.#body.toString();
    };
  }

  get setBody(): RouterRequest['setBody'] {
    return (text) => {
      if (this.#exchange.method !== 'POST') {
        throw new StageRuleError(`a request with ${this.#exchange.method} has no body`);
      }
      this.#body = Buffer.from(bodyOf(text));
      this.stages.isChanged = true;
    };
  }

  get identify(): RouterRequest['identify'] {
    return async () => {
      const caller = await this.#readers.identify({
        headers: this.headers.fields,
        peer: this.#exchange.peer,
      });
      return caller && copyOf(caller);
    };
  }

  /** The request as it is now. The one that came where nothing has changed. */
  exchange(): Exchange {
    const isOther = this.headers.isChanged || this.#url !== this.#exchange.url;
    if (isOther) {
      this.stages.isChanged = true;
    }
    return isOther || this.#body !== undefined
      ? new ChangedExchange(this.#exchange, {
          url: this.#url,
          headers: this.headers.fields,
          body: this.#body,
        })
      : this.#exchange;
  }
}

/** A target in origin form (RFC 9112 §3.2.1), as the server takes it: nothing that would need to be encoded. */
const target = /^\/[!$-~]*$/u;

function pathOf(url: string): string {
  return url.split('?', 1)[0]!;
}

const decoders: Readonly<Record<string, (body: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

export class SentResponse extends Message implements RouterResponse {
  readonly headers: ChangeableHeaders;
  readonly #response: HttpResponse;
  readonly #subgraphFields: readonly string[];
  #status: number;
  #body: string | undefined;

  /** @param subgraphFields those that are sent beside the response: each name, followed by its value */
  constructor(stages: RequestStages, response: HttpResponse, subgraphFields: readonly string[] = []) {
    super(stages);
    this.#response = response;
    this.#subgraphFields = subgraphFields;
    this.#status = response.status;
    const pairs = [...Object.entries(response.headers ?? {}), ...pairsOf(subgraphFields)];
    const values = Map.groupBy(pairs, ([name]) => name.toLowerCase());
    const fields = Array.from(values, ([name, all]): [string, string | string[]] => {
      const list = all.map(([, value]) => value);
      return [name, name === 'set-cookie' ? list : list.join(', ')];
    });
    const isInParts = response.body !== undefined && !isWhole(response.body);
    this.headers = new ChangeableHeaders(
      Object.fromEntries(fields),
      isInParts ? refusedOfParts : refusedOfResponse,
    );
  }

  get status(): number {
    return this.#status;
  }

  set status(status: number) {
    this.#status = statusOf(status);
  }

  get body(): string | undefined {
    return this.#body ?? this.#originalBody();
  }

  set body(text: string | undefined) {
    if (text === undefined || this.#originalBody() === undefined) {
      throw new StageRuleError('this response has no body that can be set: it comes in parts, or has none');
    }
    this.#body = bodyOf(text, this.stages.isMember);
  }

  /** The fields of subgraphs that code has left as they are, and its cookies. The list that came where it has changed none. */
  get subgraphFields(): readonly string[] {
    const { changes } = this.headers;
    return changes.size === 0
      ? this.#subgraphFields
      : [
          ...pairsOf(this.#subgraphFields)
            .filter(([name]) => !changes.has(name.toLowerCase()))
            .flat(),
          ...cookieFields(changes.get('set-cookie')),
        ];
  }

  /** The response as it is now. Only what code has changed is another one's. */
  changed(): HttpResponse {
    let response = this.#response;
    if (this.#status !== response.status) {
      if (response.status === 304) {
        throw new StageRuleError('a response without a body keeps its status');
      }
      response = withoutStorage({ ...response, status: this.#status });
    }
    if (this.headers.isChanged) {
      response = withOwnFields(response, this.headers.changes);
    }
    if (this.#body !== undefined) {
      const { 'Content-Encoding': _coding, ...headers } = response.headers ?? {};
      response = withoutStorage({ ...response, headers, body: this.#body });
    }
    return response;
  }

  #originalBody(): string | undefined {
    const { body, headers } = this.#response;
    if (typeof body === 'string' || !(body instanceof Uint8Array)) {
      return typeof body === 'string' ? body : undefined;
    }
    const decode = decoders[headers?.['Content-Encoding'] ?? ''];
    return (decode === undefined ? Buffer.from(body) : decode(body)).toString();
  }
}

function pairsOf(list: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: list.length / 2 }, (_, index) => [list[index * 2]!, list[index * 2 + 1]!]);
}
