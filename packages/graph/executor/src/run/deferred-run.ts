import type { StopController, StopSignal } from '@meridian/cancellation';

import type {
  CompletedFragment,
  DeferredBatch,
  DeferredFragment,
  ExecutionError,
  ExecutionResult,
} from '../result.ts';
import type { DeferredPart, FoundPart } from '../selections/deferred-parts.ts';
import { maxFragmentsOfRun } from '../selections/deferred-parts.ts';
import type { RunData } from './run-data.ts';

/** A fetch under way, and the number of the deferred fragment that waits for it. */
export interface StartedFetch {
  readonly fragment: number | undefined;
  readonly done: Promise<void>;
}

/** The announced fragments of a part that are not delivered yet. */
interface WaitingPart {
  readonly part: DeferredPart;
  readonly found: FoundPart[];
}

/** The most fragments of a batch: a long list does not hold up other requests. */
const maxFragmentsOfBatch = 500;

const stopped = new Error('No deferred fragment is wanted any more');

/** A run whose first result announces deferred fragments. Each is written when its consumer asks for it. */
export class DeferredRun implements AsyncIterator<DeferredBatch> {
  readonly #data: RunData;
  readonly #stop: StopController;
  readonly #signal: StopSignal;
  /** The numbers of fragments whose fetches are not done. */
  readonly #unready = new Set<number>();
  /** The announced fragments, by part. */
  readonly #waiting = new Map<string, WaitingPart>();
  #announcedCount = 0;
  #failure: { readonly reason: unknown } | undefined;
  #hasEnded = false;
  #wake: (() => void)[] = [];

  constructor(
    data: RunData,
    fetches: readonly StartedFetch[],
    { stop, signal }: { readonly stop: StopController; readonly signal: StopSignal },
  ) {
    this.#data = data;
    this.#stop = stop;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
    const byFragment = Map.groupBy(fetches, ({ fragment }) => fragment);
    for (const [fragment, own] of byFragment) {
      if (fragment !== undefined) {
        this.#unready.add(fragment);
        void this.#awaitFragment(fragment, own);
      }
    }
  }

  /** The first result. Ends the run if it announces no fragment. */
  first(cacheControl: readonly string[]): ExecutionResult {
    const { found, ...written } = this.#data.first();
    const announced = this.#announce(found);
    const errors = [...written.errors, ...announced.errors];
    if (announced.pending.length === 0) {
      this.end(stopped);
      return { data: written.data, errors, cacheControl };
    }
    const deferred = { pending: announced.pending, batches: { [Symbol.asyncIterator]: () => this } };
    return { data: written.data, errors, cacheControl, deferred };
  }

  async next(): Promise<IteratorResult<DeferredBatch>> {
    for (;;) {
      if (this.#failure !== undefined) {
        this.end(this.#failure.reason);
        throw this.#failure.reason;
      }
      if (this.#hasEnded) {
        return { done: true, value: undefined };
      }
      const batch = this.#takeOrEnd();
      if (batch !== undefined) {
        return { done: false, value: batch };
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake.push(resolve);
      await promise;
    }
  }

  /** Called by a consumer that stops: cancels what is under way. */
  return(): Promise<IteratorResult<DeferredBatch>> {
    this.end(stopped);
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Stops what is under way, and releases the memory of the run. */
  end(reason: unknown): void {
    this.#hasEnded = true;
    this.#waiting.clear();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#stop.abort(reason);
    this.#data.abandon(reason);
    this.#wakeUp();
  }

  async #awaitFragment(fragment: number, fetches: readonly StartedFetch[]): Promise<void> {
    try {
      await Promise.all(fetches.map(({ done }) => done));
      this.#unready.delete(fragment);
      this.#wakeUp();
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #onAbort = (): void => this.#fail(this.#signal.reason);

  #fail(reason: unknown): void {
    if (!this.#hasEnded) {
      this.#failure = { reason };
      this.end(reason);
    }
  }

  #wakeUp(): void {
    const woken = this.#wake;
    this.#wake = [];
    woken.forEach((wake) => wake());
  }

  #announce(found: readonly FoundPart[]): {
    readonly pending: readonly DeferredFragment[];
    readonly errors: readonly ExecutionError[];
  } {
    const pending: DeferredFragment[] = [];
    const room = maxFragmentsOfRun - this.#announcedCount;
    let same: WaitingPart | undefined;
    for (const one of found) {
      if (pending.length === room) {
        break;
      }
      // The fragments of a list follow each other.
      if (same?.part !== one.part) {
        same = this.#waitingFor(one.part);
      }
      same.found.push(one);
      pending.push(one.fragment);
    }
    this.#announcedCount += pending.length;
    return { pending, errors: pending.length === found.length ? [] : [tooManyFragments()] };
  }

  #takeOrEnd(): DeferredBatch | undefined {
    try {
      return this.#takeBatch();
    } catch (error) {
      this.end(error);
      throw error;
    }
  }

  #waitingFor(part: DeferredPart): WaitingPart {
    let waiting = this.#waiting.get(part.key);
    if (waiting === undefined) {
      waiting = { part, found: [] };
      this.#waiting.set(part.key, waiting);
    }
    return waiting;
  }

  /** Writes the fragments that are ready; undefined if none is. */
  #takeBatch(): DeferredBatch | undefined {
    const completed: CompletedFragment[] = [];
    const found: FoundPart[] = [];
    for (const one of this.#takeReady()) {
      const { found: foundInside, ...written } = this.#data.part(one);
      completed.push({ fragment: one.fragment, ...written });
      found.push(...foundInside);
    }
    const last = completed.at(-1);
    if (last === undefined) {
      return undefined;
    }
    const { pending, errors } = this.#announce(found);
    const isLast = this.#waiting.size === 0;
    const left = isLast ? [...errors, ...this.#data.errorsLeft()] : errors;
    if (left.length > 0) {
      completed[completed.length - 1] = { ...last, errors: [...last.errors, ...left] };
    }
    if (isLast) {
      this.end(stopped);
    }
    return { completed, pending };
  }

  #takeReady(): readonly FoundPart[] {
    const ready: FoundPart[] = [];
    for (const [key, { part, found }] of this.#waiting) {
      if (!part.waitsFor.some((fragment) => this.#unready.has(fragment))) {
        ready.push(...found.splice(0, maxFragmentsOfBatch - ready.length));
        if (found.length > 0) {
          break;
        }
        this.#waiting.delete(key);
      }
    }
    return ready;
  }
}

function tooManyFragments(): ExecutionError {
  const cause = new Error(`the response has more than ${maxFragmentsOfRun} objects with deferred fragments`);
  return { kind: 'subrequest', code: 'SUBREQUEST_MALFORMED_RESPONSE', cause };
}
