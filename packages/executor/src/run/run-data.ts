import type { CompiledFetch } from '../compile/compile-fetch.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { PlainData } from '../slow-path/slow-path-data.ts';
import { createPlainData } from '../slow-path/slow-path-data.ts';
import type { Question } from './fetch-input.ts';
import type { Run } from './run.ts';
import { Mismatch } from '../fast-path/fast-path-bailout.ts';
import type { SplicedData, TakenAnswer } from '../fast-path/fast-path-data.ts';
import { createSplicedData } from '../fast-path/fast-path-data.ts';
import { SplicedResult } from '../fast-path/fast-path-result.ts';

/** The data of one run. */
export interface RunData extends Pick<PlainData, 'inContexts' | 'ask' | 'take' | 'fail'> {
  result(cacheControl: readonly string[]): ExecutionResult;
}

export interface SplicingWatch {
  /**
   * Told the subgraph of an answer without errors that is not written as expected: with its keys in another order, say. It is
   * read all the same, and its run takes several times as long.
   */
  readonly onOtherwiseWritten?: (subgraph: string) => void;
  /** For tests: asked before each answer is read, whether it may be spliced. */
  readonly maySplice?: () => boolean;
  /** For tests: a run goes on in the plain way. */
  readonly onPlain?: () => void;
}

/** What a run did: it is done once more where splicing ends. */
type Past = { readonly fetch: CompiledFetch } & (
  | { readonly asked: Question | undefined }
  | { readonly taken: TakenAnswer }
);

/**
 * Creates the data of a run. It is spliced for as long as everything is as expected, and plain from then on: what happened up to
 * then is done once more, in its order, so that nothing depends on when that was.
 */
export function createRunData(plan: CompiledPlan, run: Run, watch?: SplicingWatch): RunData {
  let spliced = plan.splicing && createSplicedData(plan.splicing);
  let plain: PlainData | undefined;
  const past: Past[] = [];

  const inPlain = (): PlainData => {
    if (plain !== undefined) {
      return plain;
    }
    plain = createPlainData(plan, run);
    const before = spliced;
    spliced = undefined;
    if (before !== undefined) {
      watch?.onPlain?.();
      for (const done of past) {
        if ('taken' in done) {
          plain.take(done.fetch, before.answerAt(done.taken));
        } else {
          plain.ask(done.fetch, done.asked);
        }
      }
      before.end();
    }
    return plain;
  };
  /** What splicing makes of something; undefined where it ends with it. */
  const attempt = <Made>(make: (data: SplicedData) => Made): { readonly made: Made } | undefined => {
    if (spliced === undefined) {
      return undefined;
    }
    try {
      return { made: make(spliced) };
    } catch (error) {
      if (error instanceof Mismatch) {
        return undefined;
      }
      throw error;
    }
  };

  return {
    inContexts: (fetch) => (fetch.step.contextVariables.length === 0 ? [fetch] : inPlain().inContexts(fetch)),
    ask(fetch) {
      const asked = attempt((data) => data.ask(fetch));
      if (asked === undefined) {
        return inPlain().ask(fetch);
      }
      past.push({ fetch, asked: asked.made });
      return asked.made;
    },
    take(fetch, answer) {
      const wasSpliced = spliced !== undefined;
      const taken = watch?.maySplice?.() === false ? undefined : attempt((data) => data.take(fetch, answer));
      if (taken !== undefined) {
        past.push({ fetch, taken: taken.made });
        return 0;
      }
      const errorCount = inPlain().take(fetch, answer);
      if (wasSpliced && errorCount === 0) {
        watch?.onOtherwiseWritten?.(fetch.step.subgraph);
      }
      return errorCount;
    },
    fail: (fetch, failure) => inPlain().fail(fetch, failure),
    result(cacheControl) {
      const written = attempt((data) => data.write());
      if (written === undefined) {
        return { ...inPlain().result(), cacheControl };
      }
      spliced?.end();
      // Its memory is another run's from here on.
      spliced = undefined;
      return new SplicedResult(written.made, cacheControl);
    },
  };
}
