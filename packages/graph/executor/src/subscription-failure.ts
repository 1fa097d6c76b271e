import type { ExecutionError } from './result.ts';

/** A subgraph refused a subscription, or ended its stream with errors. */
export class SubscriptionFailure extends Error {
  override readonly name = 'SubscriptionFailure';
  /** At least one. Before masking: they must not reach a client unchanged. */
  readonly errors: readonly ExecutionError[];

  constructor(errors: readonly ExecutionError[]) {
    super('The subgraph refused the subscription, or ended it with errors', {
      cause: errors.find((error) => 'cause' in error)?.cause,
    });
    this.errors = errors;
  }
}
