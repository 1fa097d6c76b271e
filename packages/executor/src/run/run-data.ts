import type { CompiledFetch } from '../compile/compile-fetch.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { PlainData } from './plain-data.ts';
import { createPlainData } from './plain-data.ts';
import type { Run } from './run.ts';
import { Mismatch } from './splice/cursor.ts';
import type { SplicedData } from './splice/spliced-data.ts';
import { createSplicedData } from './splice/spliced-data.ts';
import { SplicedResult } from './splice/spliced-result.ts';

/** The data of one run. */
export interface RunData extends Pick<PlainData, 'inContexts' | 'ask' | 'take' | 'fail'> {
  result(cacheControl: readonly string[]): ExecutionResult;
}

/** For tests: watches splicing, and stops it. */
export interface SplicingWatch {
  /** Asked before each answer is read: whether it may be spliced. */
  maySplice(): boolean;
  /** A run goes on in the plain way. */
  onPlain(): void;
}

/** What a run did: it is done once more where splicing ends. */
type Past = { readonly fetch: CompiledFetch; readonly answer: string | Buffer | undefined };

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
    if (spliced !== undefined) {
      watch?.onPlain();
    }
    spliced = undefined;
    plain = createPlainData(plan, run);
    for (const { fetch, answer } of past) {
      if (answer === undefined) {
        plain.ask(fetch);
      } else {
        plain.take(fetch, answer);
      }
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
      past.push({ fetch, answer: undefined });
      return asked.made;
    },
    take(fetch, answer) {
      const taken = watch?.maySplice() === false ? undefined : attempt((data) => data.take(fetch, answer));
      if (taken === undefined) {
        return inPlain().take(fetch, answer);
      }
      past.push({ fetch, answer });
      return 0;
    },
    fail: (fetch, failure) => inPlain().fail(fetch, failure),
    result(cacheControl) {
      const written = attempt((data) => data.write());
      return written === undefined
        ? { ...inPlain().result(), cacheControl }
        : new SplicedResult(written.made, cacheControl);
    },
  };
}
