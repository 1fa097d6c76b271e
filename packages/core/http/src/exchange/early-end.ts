/** The request's deadline has passed. Its response is 504 `upstream-timeout`. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor(deadlineMs: number) {
    super(`the request took more than its ${deadlineMs} ms`);
  }
}

/** The client hung up before it got its response: the rest of the work is unnecessary. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';

  constructor() {
    super('the client closed the connection before the response');
  }
}

/** The service stops: a body in parts that has no end of its own ends now, in order. */
export class ServiceStopping extends Error {
  override readonly name = 'ServiceStopping';

  constructor() {
    super('the service is stopping');
  }
}
