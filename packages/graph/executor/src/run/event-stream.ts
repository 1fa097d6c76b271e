import type { StopSignal } from '@meridian/cancellation';
import { StopController } from '@meridian/cancellation';

import type { CompiledSubscription } from '../compile/compile-plan.ts';
import type { SubscriptionEvent, SubscriptionStream } from '../result.ts';
import type { SubgraphStream } from '../transport/subgraph-transport.ts';
import type { RunParameters } from './run-parameters.ts';
import type { RunPlanOptions } from './run-plan-options.ts';
import { runEvent } from './run-plan.ts';

/**
 * Opens the stream of a subgraph, and runs the rest of the plan for each of its events, in their order.
 *
 * Rejects like `SubgraphTransport.subscribe`.
 *
 * @throws {TypeError} where the transport has no streams
 */
export async function openEventStream<Run extends RunParameters>(
  { subscription, planHash }: { readonly subscription: CompiledSubscription; readonly planHash: string },
  run: Run,
  options: RunPlanOptions<Run>,
): Promise<SubscriptionStream> {
  run.signal.throwIfAborted();
  const { step } = subscription.fetch;
  const { subgraph, operationKind, operationName } = step;
  const observed = run.observer?.onFetch({
    step,
    subgraph,
    operationKind,
    operationName,
    entityCount: undefined,
  });
  try {
    const stream = await options.transport.subscribe?.({
      subgraph,
      operationKind,
      body: subscription.fetch.writeBody(run.variables, undefined),
      headers: { ...run.headersFor?.(subgraph), ...observed?.headers },
      signal: run.signal,
      run,
      resumeAfter: run.resumeAfter,
    });
    if (stream === undefined) {
      throw new TypeError('The transport has no streams');
    }
    observed?.onResponse(0);
    return new EventStream(subscription, planHash, { stream, run, options });
  } catch (error) {
    observed?.onFailure(error);
    throw error;
  }
}

interface OpenedStream<Run extends RunParameters> {
  readonly stream: SubgraphStream;
  readonly run: Run;
  readonly options: RunPlanOptions<Run>;
}

/**
 * Not a generator: its `return` would wait for the event that is waited for, which may never come.
 */
class EventStream<Run extends RunParameters> implements SubscriptionStream {
  readonly planHash: string;
  readonly #subscription: CompiledSubscription;
  readonly #stream: SubgraphStream;
  readonly #run: Run;
  readonly #options: RunPlanOptions<Run>;
  readonly #stop = new StopController();
  readonly #signal: StopSignal;
  readonly #abort = (): void => this.#stop.abort(this.#signal.reason);

  constructor(
    subscription: CompiledSubscription,
    planHash: string,
    { stream, run, options }: OpenedStream<Run>,
  ) {
    this.#subscription = subscription;
    this.planHash = planHash;
    this.#stream = stream;
    this.#run = { ...run, signal: this.#stop };
    this.#options = options;
    this.#signal = run.signal;
    run.signal.addEventListener('abort', this.#abort);
  }

  [Symbol.asyncIterator](): AsyncIterator<SubscriptionEvent, undefined> {
    return { next: () => this.#next(), return: () => this.#return() };
  }

  async #next(): Promise<IteratorResult<SubscriptionEvent, undefined>> {
    try {
      const { done = false, value } = await this.#stream.next();
      if (done || value === undefined) {
        this.#release();
        return { done: true, value: undefined };
      }
      const { response, position } = value;
      const result = await runEvent(this.#subscription, response, this.#run, this.#options);
      return { done: false, value: { result, ...(position !== undefined && { position }) } };
    } catch (error) {
      await this.#return();
      throw error;
    }
  }

  async #return(): Promise<IteratorReturnResult<undefined>> {
    this.#release();
    this.#stop.abort(new Error('The stream was left'));
    await this.#stream.return();
    return { done: true, value: undefined };
  }

  #release(): void {
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
