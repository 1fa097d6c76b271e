import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { SlowPathData } from '../slow-path/slow-path-data.ts';
import { createSlowPathData } from '../slow-path/slow-path-data.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import type { RunParameters } from './run-parameters.ts';
import { FastPathBailout } from '../fast-path/tape/fast-path-bailout.ts';
import type { FastPathData, LoadedResponse } from '../fast-path/fast-path-data.ts';
import { createFastPathData } from '../fast-path/fast-path-data.ts';
import type { TapePool } from '../fast-path/tape/tape-pool.ts';
import { FastPathResult } from '../fast-path/fast-path-result.ts';

/** The data of one run. */
export interface RunData extends Pick<
  SlowPathData,
  'inContexts' | 'buildRequest' | 'mergeResponse' | 'recordFailure'
> {
  result(cacheControl: readonly string[]): ExecutionResult;
}

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
}

/** A completed step of a run, which the slow path repeats after a bail-out. */
type PastStep = { readonly fetch: CompiledFetch } & (
  | { readonly asked: FetchInput | undefined }
  | { readonly taken: LoadedResponse }
);

/**
 * Creates the data of a run. It starts on the fast path. After a bail-out, the slow path repeats all steps so
 * far in their order, so the result does not depend on when that happened.
 */
export function createRunData(
  plan: CompiledPlan,
  variables: RunParameters['variables'],
  { tapes, watch }: RunDataOptions,
): RunData {
  let fastPath = plan.fastPath && createFastPathData(plan.fastPath, tapes);
  let slowPath: SlowPathData | undefined;
  const past: PastStep[] = [];

  const enterSlowPath = (): SlowPathData => {
    if (slowPath !== undefined) {
      return slowPath;
    }
    slowPath = createSlowPathData(plan.slowPath, variables);
    const before = fastPath;
    fastPath = undefined;
    if (before !== undefined) {
      watch?.onSlowPath?.();
      for (const done of past) {
        if ('taken' in done) {
          slowPath.mergeResponse(done.fetch, before.responseAt(done.taken));
        } else {
          slowPath.buildRequest(done.fetch, done.asked);
        }
      }
      before.end();
    }
    return slowPath;
  };
  /** The result on the fast path; undefined when it bails out. */
  const attempt = <Made>(make: (data: FastPathData) => Made): { readonly made: Made } | undefined => {
    if (fastPath === undefined) {
      return undefined;
    }
    try {
      return { made: make(fastPath) };
    } catch (error) {
      if (error instanceof FastPathBailout) {
        return undefined;
      }
      throw error;
    }
  };

  return {
    inContexts: (fetch) => enterSlowPath().inContexts(fetch),
    buildRequest(fetch) {
      const asked = attempt((data) => data.buildRequest(fetch.step));
      if (asked === undefined) {
        return enterSlowPath().buildRequest(fetch);
      }
      past.push({ fetch, asked: asked.made });
      return asked.made;
    },
    mergeResponse(fetch, response) {
      const wasOnFastPath = fastPath !== undefined;
      const taken =
        watch?.mayUseFastPath?.() === false
          ? undefined
          : attempt((data) => data.mergeResponse(fetch.step, response));
      if (taken !== undefined) {
        past.push({ fetch, taken: taken.made });
        return 0;
      }
      const errorCount = enterSlowPath().mergeResponse(fetch, response);
      if (wasOnFastPath && errorCount === 0) {
        watch?.onSlowPathResponse?.(fetch.step.subgraph);
      }
      return errorCount;
    },
    recordFailure: (fetch, failure) => enterSlowPath().recordFailure(fetch, failure),
    result(cacheControl) {
      const written = attempt((data) => data.write());
      if (written === undefined) {
        return { ...enterSlowPath().result(), cacheControl };
      }
      fastPath?.end();
      // Its memory belongs to another run from here on.
      fastPath = undefined;
      return new FastPathResult(written.made, cacheControl);
    },
  };
}
