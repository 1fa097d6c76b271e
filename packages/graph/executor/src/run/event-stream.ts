import type { StopSignal } from '@meridian/cancellation';
import { StopController } from '@meridian/cancellation';

import type { CompiledSubscription } from '../compile/compile-plan.ts';
import { OperationError } from '../operation/operation.ts';
import type { SubscriptionEvent, SubscriptionStream } from '../result.ts';
import type { SubgraphStream } from '../transport/subgraph-transport.ts';
import type { RunParameters } from './run-parameters.ts';
import type { RunPlanOptions } from './run-data.ts';
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
  by: EventReading<Run>,
): Promise<SubscriptionStream> {
  const {
    planned: { subscription },
    run,
    options,
  } = by;
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
    return new EventStream(stream, by);
  } catch (error) {
    observed?.onFailure(error);
    throw error;
  }
}

/**
 * Lets an open stream go on in another way, from its next event.
 *
 * @throws {OperationError} where the plan is another
 */
export function keepEventStream<Run extends RunParameters>(
  stream: SubscriptionStream,
  by: EventReading<Run>,
): SubscriptionStream {
  if (!(stream instanceof EventStream) || !stream.goOn(by)) {
    throw new OperationError('The subscription is planned in another way');
  }
  return stream;
}

/** A subscription, for all streams of one plan. */
export interface PlannedSubscription {
  readonly subscription: CompiledSubscription;
  /** Of the plan. */
  readonly hash: string;
  readonly eventRuns: EventRuns;
}

/** The way in which the events of a stream are read. */
export interface EventReading<Run extends RunParameters> {
  readonly planned: PlannedSubscription;
  readonly run: Run;
  readonly options: RunPlanOptions<Run>;
}

/**
 * Not a generator: its `return` would wait for the event that is waited for, which may never come.
 */
class EventStream<Run extends RunParameters> implements SubscriptionStream {
  readonly #stream: SubgraphStream;
  #by: EventReading<Run>;
  #authority: string | undefined;
  readonly #stop = new StopController();
  readonly #signal: StopSignal;
  readonly #abort = (): void => this.#stop.abort(this.#signal.reason);

  constructor(stream: SubgraphStream, by: EventReading<Run>) {
    this.#stream = stream;
    this.#by = by;
    this.#authority = authorityOf(by.planned.subscription, by.run);
    this.#signal = by.run.signal;
    this.#signal.addEventListener('abort', this.#abort);
  }

  /** False where the plan is another: the stream is as before. */
  goOn(by: EventReading<Run>): boolean {
    if (by.planned.hash !== this.#by.planned.hash) {
      return false;
    }
    this.#by = by;
    this.#authority = authorityOf(by.planned.subscription, by.run);
    return true;
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
      const {
        planned: { subscription, eventRuns },
        run,
        options,
      } = this.#by;
      run.observer?.onEvent?.();
      const result = await eventRuns.run(this.#authority, response, this.#stop, (signal) =>
        runEvent(subscription, response, { ...run, signal }, options),
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
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
