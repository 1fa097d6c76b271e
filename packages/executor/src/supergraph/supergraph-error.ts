/** A supergraph that cannot be run. The message says why, in one line. */
export class SupergraphError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SupergraphError';
  }
}
