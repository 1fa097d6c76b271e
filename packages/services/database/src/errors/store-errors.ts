/**
 * The store did not respond in time: no connection became free, or the statement was cancelled at its deadline. A write
 * that ends with this has changed nothing.
 */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
  readonly code = 'store-timeout';
}

/** The store cannot be reached, or the connection was lost. A write that ends with this has changed nothing. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
  readonly code = 'store-unavailable';
}

/** The connection was lost during a statement that has changed nothing. It may succeed on another connection. */
export class ConnectionLost extends StoreUnavailable {
  override readonly name: string = 'ConnectionLost';
}

/**
 * A worker of a distributed store was lost, or no longer has the tenant, and the statement has changed nothing. The
 * store and the service still work for the tenants of other workers.
 */
export class WorkerUnavailable extends ConnectionLost {
  override readonly name = 'WorkerUnavailable';
}

/** A write was sent, and no response came: it may have been committed or not. Never retry it blindly. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
  readonly code = 'outcome-unknown';
}
