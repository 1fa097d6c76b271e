import type { StopSignal } from '@meridian/cancellation';

import type { SubscriptionStream } from '../result.ts';
import type { RunObserver } from './run-observer.ts';

/** Parameters that differ between runs of an operation. */
export interface RunParameters {
  /** Valid for the operation's declarations. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The header fields that a subgraph gets, in lower case. Default: none; interceptors may add some. */
  readonly headersFor?: (subgraph: string) => Readonly<Record<string, string>>;
  /** Stops the run, which then rejects with the signal's reason. */
  readonly signal: StopSignal;
  readonly observer?: RunObserver | undefined;
  /** The caller. Operations that must be planned first are planned in turns of callers. */
  readonly caller?: string | undefined;
  /**
   * The labels of progressive overrides that are set: `@override(from: "…", label: "…")`. A `percent(n)` is decided by
   * chance, once for each run.
   */
  readonly overrideLabels?: ReadonlySet<string> | undefined;
  /** Of a subscription: false where its events may not be read for others at the same time. Default: true. */
  readonly isShared?: boolean;
  /** Of a subscription: the position of the last event that the client has. The subgraph goes on after it. */
  readonly resumeAfter?: string | undefined;
  /** Of a subscription: an open stream, which goes on by this run and its plan. */
  readonly kept?: SubscriptionStream | undefined;
}
