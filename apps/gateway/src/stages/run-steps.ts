import type { StopSignal } from '@meridian/cancellation';
import { SubgraphFailure, SubscriptionFailure } from '@meridian/executor';
import { DeadlineExceeded } from '@meridian/http';

import { RequestError } from '../errors/request-error.ts';
import type { EarlyResponse, StageHandlers } from './messages.ts';

export type StageName = Exclude<keyof StageHandlers, 'name'>;

/** One handler's code at one stage. */
export interface Step<Message> {
  readonly handler: string;
  readonly run: (
    message: Message,
  ) => EarlyResponse | undefined | void | Promise<EarlyResponse | undefined | void>;
}

/** The response by which a step ended a request. */
export interface Ended {
  readonly handler: string;
  readonly response: EarlyResponse;
}

/** The steps at a stage; undefined where there are none. Responses pass in reverse order. */
export function stepsAt<Name extends StageName>(
  handlers: readonly StageHandlers[],
  stage: Name,
): Steps<Parameters<NonNullable<StageHandlers[Name]>>[0]> | undefined {
  type Message = Parameters<NonNullable<StageHandlers[Name]>>[0];
  const steps = handlers.flatMap((handler): Step<Message>[] => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the union of names loses which message it takes
    const run = handler[stage]?.bind(handler) as Step<Message>['run'] | undefined;
    return run === undefined ? [] : [{ handler: handler.name, run }];
  });
  if (stage.endsWith('Response')) {
    steps.reverse();
  }
  return steps.length === 0 ? undefined : new Steps(stage, steps);
}

/** Runs the steps at a stage one after another. Nothing is awaited unless a step waits. */
export class Steps<Message> {
  readonly #stage: StageName;
  readonly #steps: readonly Step<Message>[];

  constructor(stage: StageName, steps: readonly Step<Message>[]) {
    this.#stage = stage;
    this.#steps = steps;
  }

  /**
   * Undefined unless a step has ended the request.
   *
   * @throws {Error} for a step that failed, with its name; also as a rejection
   */
  run(message: Message, signal: StopSignal, first = 0): Ended | undefined | Promise<Ended | undefined> {
    const steps = this.#steps;
    for (let index = first; index < steps.length; index += 1) {
      const { handler, run } = steps[index]!;
      let result: ReturnType<typeof run>;
      try {
        result = run(message);
      } catch (error) {
        throw this.#failure(error, handler, signal);
      }
      if (result instanceof Promise) {
        return result.then(
          (response) => (response ? { handler, response } : this.run(message, signal, index + 1)),
          (error: unknown) => {
            throw this.#failure(error, handler, signal);
          },
        );
      }
      if (result) {
        return { handler, response: result };
      }
    }
    return undefined;
  }

  #failure(error: unknown, handler: string, signal: StopSignal): unknown {
    const isKnown =
      error instanceof RequestError ||
      error instanceof DeadlineExceeded ||
      error instanceof SubgraphFailure ||
      error instanceof SubscriptionFailure ||
      (signal.aborted && error === signal.reason);
    return isKnown ? error : new Error(`${handler} failed at ${this.#stage}`, { cause: error });
  }
}
