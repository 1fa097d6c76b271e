/** The value of an attribute. */
export type AttributeValue = string | number | boolean;

/** A part of a trace that is over. */
export interface Span {
  readonly name: string;
  /** `server`: it answers a request from outside; `client`: it sends one. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  /** Those that are undefined are left out. */
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  /** The error in a few words; absent without one. */
  readonly error?: string | undefined;
}
