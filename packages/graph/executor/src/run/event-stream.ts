import { StopController } from '@meridian/cancellation';

import type { CompiledSubscription } from '../compile/compile-plan.ts';
import type { SubscriptionEvent, SubscriptionStream } from '../result.ts';
import type { SubgraphStream } from '../transport/subgraph-transport.ts';
import type { RunParameters } from './run-parameters.ts';
import type { RunPlanOptions } from './run-plan-options.ts';
import { runEvent } from './run-plan.ts';
import type { EventRuns } from './share-event-runs.ts';
import { authorityOf } from './share-event-runs.ts';

/**
 * Opens the stream of a subgraph, and runs the rest of the plan for each of its events, in their order.
 *
 * Rejects like `SubgraphTransport.subscribe`.
 *
 * @throws {TypeError} where the transport has no streams
 */
export async function openEventStream<Run extends RunParameters>(
  planned: PlannedSubscription,
  run: Run,
  options: RunPlanOptions<Run>,
): Promise<SubscriptionStream> {
  const { subscription } = planned;
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
    return new EventStream(planned, { stream, run, options });
  } catch (error) {
    observed?.onFailure(error);
    throw error;
  }
}

/** A subscription, for all streams of one plan. */
export interface PlannedSubscription {
  readonly subscription: CompiledSubscription;
  readonly planHash: string;
  readonly eventRuns: EventRuns;
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
  readonly #planned: PlannedSubscription;
  readonly #authority: string | undefined;
  readonly #stream: SubgraphStream;
  readonly #run: Run;
  readonly #options: RunPlanOptions<Run>;
  readonly #stop = new StopController();
  readonly #abort = (): void => this.#stop.abort(this.#run.signal.reason);

  constructor(planned: PlannedSubscription, { stream, run, options }: OpenedStream<Run>) {
    this.planHash = planned.planHash;
    this.#planned = planned;
    this.#authority = authorityOf(planned.subscription, run);
    this.#stream = stream;
    this.#run = run;
    this.#options = options;
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
      if (response === undefined) {
        return { done: false, value: { result: undefined, ...(position !== undefined && { position }) } };
      }
      const { subscription, eventRuns } = this.#planned;
      this.#run.observer?.onEvent?.();
      const result = await eventRuns.run(this.#authority, response, this.#stop, (signal) =>
        runEvent(subscription, response, { ...this.#run, signal }, this.#options),
      );
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
    this.#run.signal.removeEventListener('abort', this.#abort);
  }
}
