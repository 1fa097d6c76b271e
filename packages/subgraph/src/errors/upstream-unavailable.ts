/**
 * Another service that the field needs is away, is too slow, or answered something else than it should. It is logged
 * with its cause; a client sees `SERVICE_UNAVAILABLE`. A write that ends with this has changed nothing.
 */
export class UpstreamUnavailable extends Error {
  override readonly name = 'UpstreamUnavailable';
}
