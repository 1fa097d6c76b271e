import { GraphQLError } from 'graphql';

/**
 * A failure that is safe to show as it stands: made only from what the client sent. Everything else that a resolver
 * throws is a bug or an outage, is logged with its cause and, in production, shown without it.
 */
export class ClientError extends GraphQLError {
  override readonly name = 'ClientError';
  /** Stable and upper-case: what a client may match on, also where the gateway masks the message. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message, { extensions: { code } });
    this.code = code;
  }
}

/** Builds the error of a code, to be thrown by a resolver. */
export function clientError(code: string, message: string): ClientError {
  return new ClientError(code, message);
}
