import type { FetchStep } from '../plan/plan.ts';
import type { ExecutionError, ResponsePath } from '../result.ts';
import type { ClientPath } from '../selections/client-path.ts';
import type { CompiledFetch } from './compile-fetch.ts';
import type { DataObject } from './data.ts';
import { maxErrorsOfRun } from './error-bounds.ts';
import { findTargetPaths } from './find-targets.ts';

/** The data of one run so far, as objects. */
export interface RunState {
  readonly data: DataObject;
  readonly errors: RunErrors;
  readonly targetPaths: TargetPaths;
  /** The objects that a subgraph reported as missing. */
  readonly missing: Set<DataObject>;
  readonly clientPath: ClientPath;
}

/** The objects that a fetch is for. */
export interface EntityBatch {
  /** Each representation that is sent; undefined for a fetch of root fields. */
  readonly representations: readonly string[] | undefined;
  /** The objects of each representation; for root fields all of them, once. */
  readonly targets: readonly (readonly DataObject[])[];
}

/** The errors of one run, up to a limit. */
export class RunErrors {
  readonly #kept: ExecutionError[] = [];
  #isOverfull = false;

  get kept(): readonly ExecutionError[] {
    return this.#kept;
  }

  get isFull(): boolean {
    return this.#kept.length >= maxErrorsOfRun;
  }

  note(error: ExecutionError): void {
    if (this.isFull) {
      this.#isOverfull = true;
    } else {
      this.#kept.push(error);
    }
  }

  /** All errors; one error summarises those that were not kept. */
  all(): readonly ExecutionError[] {
    return this.#isOverfull ? [...this.#kept, ...this.summary()] : this.#kept;
  }

  /** One error for those that were not kept. */
  summary(): readonly ExecutionError[] {
    return this.#isOverfull ? [{ kind: 'omitted' }] : [];
  }
}

/**
 * Where the objects of a fetch were in the data when it was sent. A response that comes first may replace these
 * objects, and the order of two responses must not matter. The paths are found when an error needs them, or before such
 * a replacement.
 */
export class TargetPaths {
  readonly #data: DataObject;
  /** Fetches whose objects are still where they were. */
  readonly #inFlight = new Set<CompiledFetch>();
  /** Of fetches whose objects may have been replaced. The fetches of one step in several contexts are sent together. */
  readonly #kept = new Map<FetchStep, ReadonlyMap<DataObject, ResponsePath>>();

  constructor(data: DataObject) {
    this.#data = data;
  }

  onSent(fetch: CompiledFetch): void {
    this.#inFlight.add(fetch);
  }

  onEnd(fetch: CompiledFetch): void {
    this.#inFlight.delete(fetch);
  }

  /** Keeps the paths of all fetches in flight: objects of the data are about to be replaced. */
  readonly keep = (): void => {
    for (const { step } of this.#inFlight) {
      if (!this.#kept.has(step)) {
        this.#kept.set(step, findTargetPaths(this.#data, step.path, Infinity));
      }
    }
    this.#inFlight.clear();
  };

  /** The paths of some objects of a fetch, by plan names. */
  of({ step }: CompiledFetch, wanted: ReadonlySet<DataObject>): ReadonlyMap<DataObject, ResponsePath> {
    return this.#kept.get(step) ?? findTargetPaths(this.#data, step.path, wanted.size, wanted);
  }
}
