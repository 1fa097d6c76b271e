import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { MergedRounds } from '../merge/merged-rounds.ts';
import type { PlanMerging } from '../merge/plan-merging.ts';
import type { SubgraphResponse, SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import type { RunParameters } from './run-parameters.ts';
import type { FetchObserver, StoredParts } from './run-observer.ts';
import { ReceivedBody } from './received-body.ts';

const noFields: Readonly<Record<string, string>> = {};

/** A subrequest, which equal fetches share. */
export class SentFetch {
  /** The response, which rejects like a transport; once it has arrived, only its body, so that nothing else keeps that. */
  arrival: Promise<SubgraphResponse> | ReceivedBody;
  #cacheControlOfResponse: string | undefined;
  #stored: StoredParts | undefined;
  readonly #observer: FetchObserver | undefined;
  readonly #cacheControl: string[];
  #hasEnded = false;

  constructor(
    response: Promise<SubgraphResponse>,
    observer: FetchObserver | undefined,
    cacheControl: string[],
  ) {
    this.arrival = response;
    this.#observer = observer;
    this.#cacheControl = cacheControl;
  }

  /** Called with the response. Returns its body, the same for all equal fetches. */
  receive({ text, cacheControl, stored }: SubgraphResponse): ReceivedBody {
    if (this.arrival instanceof ReceivedBody) {
      return this.arrival;
    }
    const body = new ReceivedBody(text);
    this.arrival = body;
    this.#cacheControlOfResponse = cacheControl;
    this.#stored = stored;
    return body;
  }

  /** Called with the number of errors in the response, once it is merged. */
  onMerged(errorCount: number): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#observer?.onResponse(errorCount, this.#stored);
      if (this.#cacheControlOfResponse !== undefined) {
        this.#cacheControl.push(this.#cacheControlOfResponse);
      }
    }
  }

  /** Called when it failed. */
  onFailure(error: unknown): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#observer?.onFailure(error);
    }
  }
}

/** Sends the fetches of one run. Equal fetches of a query are sent once, and each reads the response. */
export class FetchSender<Run extends RunParameters = RunParameters> {
  readonly #transport: SubgraphTransport<Run>;
  readonly #run: Run;
  readonly #signal: RunParameters['signal'];
  /** Absent where each fetch is a request of its own. */
  readonly #rounds: MergedRounds<Run> | undefined;
  /** By subgraph and body; only fetches that may recur are looked up. */
  #sent: Map<string, Map<string, SentFetch>> | undefined;
  /** The `Cache-Control` of each merged response, once for each request sent. */
  readonly cacheControl: string[] = [];

  /** @param signal ends the fetches; interceptors know the run by the object itself. Default: the signal of the run */
  constructor(
    transport: SubgraphTransport<Run>,
    run: Run,
    merging: PlanMerging | undefined,
    signal: RunParameters['signal'] = run.signal,
  ) {
    this.#transport = transport;
    this.#run = run;
    this.#signal = signal;
    this.#rounds = merging && new MergedRounds(transport, run.variables, merging);
  }

  send(fetch: CompiledFetch, input: FetchInput): SentFetch {
    if (!fetch.mayRecur) {
      return this.#send(fetch, input);
    }
    const { subgraph } = fetch.step;
    this.#sent ??= new Map();
    let toSubgraph = this.#sent.get(subgraph);
    if (toSubgraph === undefined) {
      toSubgraph = new Map();
      this.#sent.set(subgraph, toSubgraph);
    }
    const body = fetch.writeBody(this.#run.variables, input.representations);
    let sent = toSubgraph.get(body);
    if (sent === undefined) {
      sent = this.#send(fetch, input, body);
      toSubgraph.set(body, sent);
    }
    return sent;
  }

  #send(fetch: CompiledFetch, input: FetchInput, written?: string): SentFetch {
    const { step, mayMerge } = fetch;
    const { subgraph, operationKind, operationName } = step;
    const run = this.#run;
    const observed = run.observer?.onFetch({
      step,
      subgraph,
      operationKind,
      operationName,
      entityCount: input.entityCount,
    });
    const ofRun = run.headersFor?.(subgraph) ?? noFields;
    const headers = observed === undefined ? ofRun : { ...ofRun, ...observed.headers };
    const signal = this.#signal;
    if (mayMerge && this.#rounds !== undefined) {
      const request = { subgraph, operationKind, headers, signal, run };
      return new SentFetch(this.#rounds.send({ fetch, input, request }), observed, this.cacheControl);
    }
    const body = written ?? fetch.writeBody(run.variables, input.representations);
    const response = this.#transport.send({ subgraph, operationKind, body, headers, signal, run });
    return new SentFetch(response, observed, this.cacheControl);
  }
}
