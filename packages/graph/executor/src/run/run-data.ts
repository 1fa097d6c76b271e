import type { JsonBounds } from '@meridian/json';

import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { ExecutionError, ExecutionResult } from '../result.ts';
import type { SlowPathData, WrittenPart } from '../slow-path/slow-path-data.ts';
import { createSlowPathData } from '../slow-path/slow-path-data.ts';
import type { FoundPart } from '../selections/deferred-parts.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import type { ReceivedBody } from './received-body.ts';
import type { RunParameters } from './run-parameters.ts';
import { FastPathBailout } from '../fast-path/tape/fast-path-bailout.ts';
import type { LoadedResponse } from '../fast-path/fast-path-data.ts';
import { FastPathData } from '../fast-path/fast-path-data.ts';
import type { TapePool } from '../fast-path/tape/tape-pool.ts';
import type { SubgraphFailure } from '../transport/subgraph-failure.ts';
import type { SubgraphTransport } from '../transport/subgraph-transport.ts';
import { FastPathResult } from '../fast-path/fast-path-result.ts';

export interface FastPathWatch {
  /**
   * Called with the subgraph of a response without errors that is not written as expected, for example with keys in
   * another order. It is read correctly, but its run takes several times as long.
   */
  readonly onSlowPathResponse?: (subgraph: string) => void;
  /** For tests: called before each response is read; false forces a bail-out. */
  readonly mayUseFastPath?: () => boolean;
  /** For tests: called when a run bails out. */
  readonly onSlowPath?: () => void;
}

export interface RunDataOptions {
  /** The executor's options. */
  readonly tapes: TapePool;
  readonly watch: FastPathWatch | undefined;
  readonly responseBounds?: JsonBounds | undefined;
}

/** The parts of a run that belong to its executor. */
export interface RunPlanOptions<Run extends RunParameters> extends RunDataOptions {
  readonly transport: SubgraphTransport<Run>;
}

/** A completed step of a run, which the slow path repeats after a bail-out. */
type PastStep = { readonly fetch: CompiledFetch } & (
  | { readonly input: FetchInput | undefined }
  | { readonly loaded: LoadedResponse; readonly body: ReceivedBody }
);

/**
 * The data of one run. It starts on the fast path. After a bail-out, the slow path repeats all steps so far in their
 * order, so the result does not depend on when that happened.
 */
export class RunData {
  readonly #plan: CompiledPlan;
  readonly #variables: RunParameters['variables'];
  readonly #watch: FastPathWatch | undefined;
  readonly #responseBounds: JsonBounds | undefined;
  /** Until a bail-out, or the result. */
  #fastPath: FastPathData | undefined;
  #slowPath: SlowPathData | undefined;
  #abandoned: { readonly reason: unknown } | undefined;
  readonly #past: PastStep[] = [];

  constructor(
    plan: CompiledPlan,
    variables: RunParameters['variables'],
    { tapes, watch, responseBounds }: RunDataOptions,
  ) {
    this.#plan = plan;
    this.#variables = variables;
    this.#watch = watch;
    this.#responseBounds = responseBounds;
    this.#fastPath = plan.fastPath && new FastPathData(plan.fastPath, tapes);
  }

  inContexts(fetch: CompiledFetch): readonly CompiledFetch[] {
    return this.#enterSlowPath().inContexts(fetch);
  }

  buildRequest(fetch: CompiledFetch): FetchInput | undefined {
    if (this.#fastPath !== undefined) {
      try {
        const input = this.#fastPath.buildRequest(fetch.step);
        this.#past.push({ fetch, input });
        return input;
      } catch (error) {
        throwUnlessBailout(error);
      }
    }
    return this.#enterSlowPath().buildRequest(fetch);
  }

  /** Returns the number of reported errors. */
  mergeResponse(fetch: CompiledFetch, body: ReceivedBody): number {
    const wasOnFastPath = this.#fastPath !== undefined;
    if (this.#watch?.mayUseFastPath?.() !== false && this.#fastPath !== undefined) {
      try {
        const loaded = this.#fastPath.mergeResponse(fetch.step, body.content);
        this.#past.push({ fetch, loaded, body });
        body.content = loaded;
        return 0;
      } catch (error) {
        throwUnlessBailout(error);
      }
    }
    const errorCount = this.#enterSlowPath().mergeResponse(fetch, body.text);
    if (wasOnFastPath && errorCount === 0) {
      this.#watch?.onSlowPathResponse?.(fetch.step.subgraph);
    }
    return errorCount;
  }

  recordFailure(fetch: CompiledFetch, failure: SubgraphFailure): void {
    this.#enterSlowPath().recordFailure(fetch, failure);
  }

  /** Ends it. */
  result(cacheControl: readonly string[]): ExecutionResult {
    const fastPath = this.#fastPath;
    if (fastPath !== undefined) {
      try {
        const response = fastPath.write();
        fastPath.end();
        // Its memory belongs to another run from here on.
        this.#fastPath = undefined;
        return new FastPathResult(response, cacheControl);
      } catch (error) {
        throwUnlessBailout(error);
      }
    }
    return { ...this.#enterSlowPath().result(), cacheControl };
  }

  /** The first result of a plan with deferred fragments. Does not end it. */
  first(): WrittenPart {
    if (this.#fastPath !== undefined) {
      try {
        return this.#fastPath.first();
      } catch (error) {
        throwUnlessBailout(error);
      }
    }
    return this.#enterSlowPath().first();
  }

  /** The fields of a deferred fragment. */
  part(found: FoundPart): WrittenPart {
    if (this.#fastPath !== undefined) {
      try {
        return this.#fastPath.part(found);
      } catch (error) {
        throwUnlessBailout(error);
      }
    }
    return this.#enterSlowPath().part(found);
  }

  /** The errors that no part had. */
  errorsLeft(): readonly ExecutionError[] {
    return this.#slowPath?.errorsLeft() ?? [];
  }

  /** Releases its memory, also when steps of the run still go on: these then fail with this reason. */
  abandon(reason: unknown): void {
    this.#abandoned = { reason };
    this.#fastPath?.end();
    this.#fastPath = undefined;
    this.#slowPath = undefined;
  }

  #enterSlowPath(): SlowPathData {
    if (this.#abandoned !== undefined) {
      throw this.#abandoned.reason;
    }
    if (this.#slowPath !== undefined) {
      return this.#slowPath;
    }
    const slowPath = createSlowPathData(this.#plan.slowPath, this.#variables, this.#responseBounds);
    this.#slowPath = slowPath;
    const before = this.#fastPath;
    this.#fastPath = undefined;
    if (before !== undefined) {
      this.#watch?.onSlowPath?.();
      for (const done of this.#past) {
        if ('loaded' in done) {
          done.body.content = before.responseAt(done.loaded);
          slowPath.mergeResponse(done.fetch, done.body.text);
        } else {
          slowPath.buildRequest(done.fetch, done.input);
        }
      }
      before.end();
    }
    return slowPath;
  }
}

function throwUnlessBailout(error: unknown): void {
  if (!(error instanceof FastPathBailout)) {
    throw error;
  }
}
