import type { StopSignal } from '@meridian/cancellation';
import { SubgraphFailure, SubscriptionFailure } from '@meridian/executor';
import { DeadlineExceeded } from '@meridian/http';

import { isRecord } from '@meridian/settings/values';

import { RequestError } from '../errors/request-error.ts';
import type { EarlyResponse, StageHandlers } from './messages.ts';
import { StageRuleError } from './stage-headers.ts';

export type StageName = Exclude<keyof StageHandlers, 'name'>;

/** One handler's code at one stage. */
export interface Step<Message> {
  readonly handler: string;
  /** An early response, another value, which is checked, or a promise. */
  readonly run: (message: Message) => unknown;
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
  /** At the other stages, what a step returns has no meaning. */
  readonly #mayEnd: boolean;

  constructor(stage: StageName, steps: readonly Step<Message>[]) {
    this.#stage = stage;
    this.#steps = steps;
    this.#mayEnd = stage.endsWith('Request');
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
      let response: EarlyResponse | undefined;
      try {
        const result = run(message);
        if (isThenable(result)) {
          return this.#resume(result, message, signal, index);
        }
        response = this.#responseOf(result);
      } catch (error) {
        throw this.#failure(error, handler, signal);
      }
      if (response !== undefined) {
        return { handler, response };
      }
    }
    return undefined;
  }

  /** Goes on when the step at `index` has settled. */
  async #resume(
    result: PromiseLike<unknown>,
    message: Message,
    signal: StopSignal,
    index: number,
  ): Promise<Ended | undefined> {
    const { handler } = this.#steps[index]!;
    let response: EarlyResponse | undefined;
    try {
      response = this.#responseOf(await result);
    } catch (error) {
      throw this.#failure(error, handler, signal);
    }
    return response === undefined ? await this.run(message, signal, index + 1) : { handler, response };
  }

  /** @throws {StageRuleError} for a value that is not a response: code at a stage may be JavaScript */
  #responseOf(value: unknown): EarlyResponse | undefined {
    if (!this.#mayEnd || !value) {
      return undefined;
    }
    if (!isEarlyResponse(value)) {
      throw new StageRuleError(`it returned a value that is not a response: ${members.join(', ')}`);
    }
    return value;
  }

  /**
   * Takes what the steps have made of a message.
   *
   * @throws {Error} where it breaks a rule, with the name of the step, or of all that may have made it
   */
  use<Value>(code: () => Value, signal: StopSignal, handler = this.#names()): Value {
    try {
      return code();
    } catch (error) {
      throw this.#failure(error, handler, signal);
    }
  }

  #names(): string {
    return this.#steps.map(({ handler }) => handler).join(' or ');
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

const members = [
  'status',
  'headers',
  'body',
  'data',
  'errors',
  'extensions',
] as const satisfies readonly (keyof EarlyResponse)[];

function isEarlyResponse(value: unknown): value is EarlyResponse {
  const names = isRecord(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => members.some((member) => member === name));
}

/** True for what `await` waits for, also for a promise of another library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isRecord(value) && typeof value['then'] === 'function';
}
