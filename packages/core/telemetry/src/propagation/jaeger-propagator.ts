import type { Baggage, Context, TextMapGetter, TextMapPropagator, TextMapSetter } from '@opentelemetry/api';
import { TraceFlags, propagation, trace } from '@opentelemetry/api';

import { token } from '@meridian/settings/values';

const idField = 'uber-trace-id';
const baggagePrefix = 'uberctx-';

/** Trace id, span id, parent span id and flags: hexadecimal, without leading zeros in old clients. */
const idText = /^([\da-f]{1,32}):([\da-f]{1,16}):[\da-f]{1,16}:([\da-f]{1,2})$/i;

/**
 * Propagates Jaeger's header fields, which OpenTelemetry's packages no longer do.
 *
 * Source: Jaeger's documentation, "Propagation Format".
 */
export class JaegerPropagator implements TextMapPropagator {
  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    const span = trace.getSpanContext(context);
    if (span !== undefined) {
      const flags = span.traceFlags & TraceFlags.SAMPLED;
      setter.set(carrier, idField, `${span.traceId}:${span.spanId}:0:0${flags}`);
    }
    for (const [name, { value }] of propagation.getBaggage(context)?.getAllEntries() ?? []) {
      if (token.test(name)) {
        setter.set(carrier, baggagePrefix + name, encodeURIComponent(value.toWellFormed()));
      }
    }
  }

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    let extracted = context;
    const [, traceId, spanId, flags = '0'] = idText.exec(decoded(one(getter.get(carrier, idField)))) ?? [];
    if (traceId !== undefined && spanId !== undefined) {
      extracted = trace.setSpanContext(extracted, {
        traceId: traceId.padStart(32, '0').toLowerCase(),
        spanId: spanId.padStart(16, '0').toLowerCase(),
        isRemote: true,
        traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
      });
    }
    const names = getter.keys(carrier).filter((name) => name.startsWith(baggagePrefix));
    if (names.length === 0) {
      return extracted;
    }
    const baggage = names.reduce<Baggage>(
      (entries, name) =>
        entries.setEntry(name.slice(baggagePrefix.length), {
          value: decoded(one(getter.get(carrier, name))),
        }),
      propagation.getBaggage(extracted) ?? propagation.createBaggage(),
    );
    return propagation.setBaggage(extracted, baggage);
  }

  fields(): string[] {
    return [idField];
  }
}

function one(value: string | string[] | undefined): string {
  return [value].flat()[0] ?? '';
}

/** As it is where it is not encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
