import type { SubrequestCode } from '../result.ts';

/** A request to a subgraph brought nothing to use. The message is for the log: it may name hosts. */
export class SubgraphFailure extends Error {
  readonly code: SubrequestCode;

  constructor(code: SubrequestCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SubgraphFailure';
    this.code = code;
  }
}
