import { GraphQLError } from 'graphql';

/**
 * A failure that is safe to show unchanged: made only from what the client sent. Any other error of a resolver is a bug
 * or an outage: it is logged with its cause and, in production, shown without it.
 */
export class ClientError extends GraphQLError {
  override readonly name = 'ClientError';
  /** Stable and upper-case. Clients may match on it, even if the gateway masks the message. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message, { extensions: { code } });
    this.code = code;
  }
}

/** Creates the error of a code, for a resolver to throw. */
export function clientError(code: string, message: string): ClientError {
  return new ClientError(code, message);
}
