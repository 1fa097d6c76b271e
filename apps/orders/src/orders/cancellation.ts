/** The recorded data of a cancellation; the time is the database's. */
export interface NewCancellation {
  readonly id: string;
  readonly reason: string;
  /** The actor: the issuer and the `sub` of the token. */
  readonly actorIssuer: string;
  readonly actor: string;
}

/** The recorded data of an order's cancellation. */
export interface Cancellation extends NewCancellation {
  readonly orderId: string;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
}
