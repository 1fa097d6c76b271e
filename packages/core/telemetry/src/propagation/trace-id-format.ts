/** The ways to write a trace id: hexadecimal digits, a decimal number, Datadog's 64 bits as one, a UUID. */
export type TraceIdFormat = 'hexadecimal' | 'open_telemetry' | 'decimal' | 'datadog' | 'uuid';

/** Writes a trace id of 32 hexadecimal digits. */
export function formatTraceId(traceId: string, format: TraceIdFormat): string {
  if (format === 'decimal') {
    return BigInt(`0x${traceId}`).toString();
  }
  if (format === 'datadog') {
    return BigInt(`0x${traceId.slice(16)}`).toString();
  }
  return format === 'uuid' ? traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : traceId;
}

/** Reads a trace id as 32 hexadecimal digits; undefined for a text that is not one. */
export function parseTraceId(written: string, format: TraceIdFormat): string | undefined {
  const isDecimal = format === 'decimal' || format === 'datadog';
  const digits = isDecimal ? hexOf(written) : written.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{1,32}$/.test(digits) && /[^0]/.test(digits) ? digits.padStart(32, '0') : undefined;
}

function hexOf(decimal: string): string {
  return /^\d{1,39}$/.test(decimal) ? BigInt(decimal).toString(16) : '';
}
