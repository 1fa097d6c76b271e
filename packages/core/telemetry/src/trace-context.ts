import { randomFillSync } from 'node:crypto';

/** A request's position in a trace, W3C Trace Context §3. */
export interface TraceContext {
  /** 32 hexadecimal digits, the same in every process that a request reaches. */
  readonly traceId: string;
  /** The part of the trace that this process adds: 16 hexadecimal digits. */
  readonly spanId: string;
  /** The span that caused this one; absent where the trace starts here. */
  readonly parentSpanId?: string;
  /** True if the origin of the trace records it. */
  readonly isSampled: boolean;
}

/** Decides whether a trace is recorded. `isSampledByParent` is undefined where the trace starts here. */
export type SamplingDecision = (traceId: string, isSampledByParent: boolean | undefined) => boolean;

/**
 * Starts a span: in the trace of a `traceparent` header, or in a new one when there is no header or it is
 * malformed.
 *
 * @param decide decides whether the trace is recorded. Default: as its origin decided
 */
export function startTrace(
  traceparent?: string,
  decide: SamplingDecision = (_traceId, isSampledByParent = false) => isSampledByParent,
): TraceContext {
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  if (parent === undefined) {
    const traceId = randomDigits(16);
    return { traceId, spanId: newSpanId(), isSampled: decide(traceId, undefined) };
  }
  const { traceId, spanId: parentSpanId, isSampled } = parent;
  return { traceId, spanId: newSpanId(), parentSpanId, isSampled: decide(traceId, isSampled) };
}

/** A new, unique span id. */
export function newSpanId(): string {
  return randomDigits(8);
}

/** The `traceparent` header for a request that this span sends. */
export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const traceparentPattern =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<rest>-.*)?$/;

/** Reads a `traceparent` header, W3C Trace Context §3.2: a later version may carry more fields, version 00 may not. */
function parseTraceparent(header: string): TraceContext | undefined {
  const { version, traceId, spanId, flags, rest } = traceparentPattern.exec(header)?.groups ?? {};
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) {
    return undefined;
  }
  const isKnownForm = version !== 'ff' && (version !== '00' || rest === undefined);
  return isKnownForm && !isAllZero(traceId) && !isAllZero(spanId)
    ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : undefined;
}

function isAllZero(hex: string): boolean {
  return /^0+$/.test(hex);
}

/** Unused random bytes: one call for so many costs about as much as a call for a few. */
const randomStore = Buffer.alloc(4096);
let storedDigits = '';
let usedDigits = 0;

/** Unguessable hexadecimal digits, two for a byte. */
function randomDigits(bytes: number): string {
  if (usedDigits + 2 * bytes > storedDigits.length) {
    storedDigits = randomFillSync(randomStore).toString('hex');
    usedDigits = 0;
  }
  usedDigits += 2 * bytes;
  return storedDigits.slice(usedDigits - 2 * bytes, usedDigits);
}
