/**
 * A service that the field needs is away or too slow, or sent an invalid response. Logged with its cause; a client sees
 * `SERVICE_UNAVAILABLE`. A write that ends with this has changed nothing.
 */
export class UpstreamUnavailable extends Error {
  override readonly name = 'UpstreamUnavailable';
}
