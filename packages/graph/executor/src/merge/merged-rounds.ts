import { nextTick } from 'node:process';

import type { FetchInput } from '../selections/fetch-input.ts';
import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { SubgraphFailure, failureOfStatus } from '../transport/subgraph-failure.ts';
import type {
  SubgraphRequest,
  SubgraphResponse,
  SubgraphTransport,
} from '../transport/subgraph-transport.ts';
import type { MergedRequest } from './merged-request.ts';
import type { PlanMerging } from './plan-merging.ts';

/** A fetch that may be sent with others. */
export interface MergeableFetch<Run> {
  readonly fetch: CompiledFetch;
  readonly input: FetchInput;
  /** All of its request but the body. */
  readonly request: Omit<SubgraphRequest<Run>, 'body'>;
}

interface Waiting<Run> extends MergeableFetch<Run> {
  readonly resolve: (response: SubgraphResponse | Promise<SubgraphResponse>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers the fetches that a run sends in one turn of the event loop, and sends those to one subgraph as one request.
 * Where its response cannot be split, each is sent alone.
 */
export class MergedRounds<Run> {
  readonly #transport: SubgraphTransport<Run>;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #merging: PlanMerging;
  #waiting: Waiting<Run>[] = [];

  constructor(
    transport: SubgraphTransport<Run>,
    variables: Readonly<Record<string, unknown>>,
    merging: PlanMerging,
  ) {
    this.#transport = transport;
    this.#variables = variables;
    this.#merging = merging;
  }

  send(fetch: MergeableFetch<Run>): Promise<SubgraphResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<SubgraphResponse>();
    if (this.#waiting.length === 0) {
      // After everything that the responses of this turn lead to.
      nextTick(() => this.#sendRound());
    }
    this.#waiting.push({ ...fetch, resolve, reject });
    return promise;
  }

  #sendRound(): void {
    const round = this.#waiting;
    this.#waiting = [];
    for (const [subgraph, group] of Map.groupBy(round, ({ request }) => request.subgraph)) {
      const merged =
        group.length > 1
          ? this.#merging.requestFor(
              subgraph,
              group.map(({ fetch }) => fetch.step),
            )
          : undefined;
      if (merged === undefined) {
        group.forEach((one) => this.#sendAlone(one));
      } else {
        void this.#sendTogether(subgraph, group, merged);
      }
    }
  }

  #sendAlone({ fetch, input, request, resolve }: Waiting<Run>): void {
    resolve(this.#send(request, fetch.writeBody(this.#variables, input.representations)));
  }

  async #sendTogether(
    subgraph: string,
    group: readonly Waiting<Run>[],
    merged: MergedRequest,
  ): Promise<void> {
    const [first] = group;
    if (first === undefined) {
      return;
    }
    const response = await this.#sendMerged(first.request, merged.writeBody(this.#variables, group)).catch(
      (error: unknown) => {
        const parts = failedParts(error, merged);
        group.forEach(({ reject }, index) => reject(parts?.[index] ?? error));
        return undefined;
      },
    );
    if (response === undefined) {
      return;
    }
    const parts = merged.split(response.text);
    this.#merging.noteSplit(subgraph, parts !== undefined);
    if (parts === undefined) {
      group.forEach((one) => this.#sendAlone(one));
    } else {
      parts.forEach((text, index) => group[index]?.resolve({ ...response, text }));
    }
  }

  /** The response, of which nothing can be split where one fetch alone might have got another one. */
  async #sendMerged(request: MergeableFetch<Run>['request'], body: string): Promise<SubgraphResponse> {
    try {
      return await this.#send(request, body);
    } catch (error) {
      if (isAboutContent(error)) {
        return { text: '', cacheControl: undefined };
      }
      throw error;
    }
  }

  async #send(request: MergeableFetch<Run>['request'], body: string): Promise<SubgraphResponse> {
    return await this.#transport.send({ ...request, body });
  }
}

/** The failure of each fetch, with its part of the body; undefined where the failure has none, or it cannot be split. */
function failedParts(error: unknown, { split }: MergedRequest): readonly SubgraphFailure[] | undefined {
  if (!(error instanceof SubgraphFailure) || error.status === undefined || error.body === undefined) {
    return undefined;
  }
  const { status } = error;
  return split(error.body)?.map((part) => failureOfStatus(status, part));
}

/** Failures of a subgraph that is there, but not for everybody: about load or identity. RFC 9110 §15. */
const generalStatuses: ReadonlySet<number> = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

/** True for a failure that may come from what was asked: too much of it, or one fetch among others. */
function isAboutContent(error: unknown): boolean {
  return (
    error instanceof SubgraphFailure &&
    (error.status === undefined
      ? error.code === 'SUBREQUEST_MALFORMED_RESPONSE'
      : !generalStatuses.has(error.status))
  );
}
