/** The value of an attribute. */
export type AttributeValue = string | number | boolean;

/** A completed part of a trace. */
export interface Span {
  readonly name: string;
  /** `server`: handles a request from outside; `client`: sends one. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  /** Undefined ones are omitted. */
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  /** The error in a few words; absent after a success. */
  readonly error?: string | undefined;
}
