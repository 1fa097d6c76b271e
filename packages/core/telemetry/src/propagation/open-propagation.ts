import type { IncomingHttpHeaders } from 'node:http';

import { token } from '@meridian/settings/values';
import type { Context, TextMapPropagator } from '@opentelemetry/api';
import {
  ROOT_CONTEXT,
  TraceFlags,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace as traces,
} from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';

import type { SamplingDecision, TraceContext } from '../trace-context.ts';
import { newSpanId, startTrace } from '../trace-context.ts';
import { JaegerPropagator } from './jaeger-propagator.ts';
import type { Propagation, PropagationFormat, PropagationOptions } from './propagation.ts';
import { formatTraceId, parseTraceId } from './trace-id-format.ts';

const propagators: Readonly<Record<PropagationFormat, () => Promise<TextMapPropagator>>> = {
  trace_context: () => Promise.resolve(new W3CTraceContextPropagator()),
  baggage: () => Promise.resolve(new W3CBaggagePropagator()),
  async zipkin() {
    const { B3InjectEncoding, B3Propagator } = await import('@opentelemetry/propagator-b3');
    return new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER });
  },
  jaeger: () => Promise.resolve(new JaegerPropagator()),
  async aws_xray() {
    const { AWSXRayPropagator } = await import('@opentelemetry/propagator-aws-xray');
    return new AWSXRayPropagator();
  },
};

/** The trace of a request, with the rest that its header fields carry: baggage, `tracestate`. */
interface CarryingTrace extends TraceContext {
  readonly received?: Context;
}

export async function openPropagation({ formats, request }: PropagationOptions): Promise<Propagation> {
  const propagator = new CompositePropagator({
    propagators: await Promise.all(formats.map((format) => propagators[format]())),
  });
  const chosenIn = (headers: IncomingHttpHeaders): string | undefined => {
    const written = request && headers[request.headerName.toLowerCase()];
    return request && typeof written === 'string' ? parseTraceId(written, request.format) : undefined;
  };
  return {
    start(headers, decide): CarryingTrace {
      const received = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const chosen = chosenIn(headers);
      return { ...startIn(received, chosen, decide), received };
    },
    fieldsOf(trace: CarryingTrace) {
      const { traceId, spanId, isSampled, received = ROOT_CONTEXT } = trace;
      const traceState = traces.getSpanContext(received)?.traceState;
      const context = traces.setSpanContext(received, {
        traceId,
        spanId,
        traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        ...(traceState && { traceState }),
      });
      const fields: Record<string, string> = {};
      propagator.inject(context, fields, sendableSetter);
      if (request !== undefined) {
        fields[request.headerName] = formatTraceId(traceId, request.format);
      }
      return fields;
    },
  };
}

/** RFC 9110 §5.5, in one byte a character. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Sets only fields that can be sent: clients choose the names and the values of baggage, and Jaeger makes fields of it. */
const sendableSetter: typeof defaultTextMapSetter = {
  set(carrier, name, value) {
    if (token.test(name) && fieldValue.test(value)) {
      defaultTextMapSetter.set(carrier, name, value);
    }
  },
};

/** @param chosen a trace id without a span, and so without a decision about sampling */
function startIn(
  received: Context,
  chosen: string | undefined,
  decide: SamplingDecision | undefined,
): TraceContext {
  const parent = traces.getSpanContext(received);
  if (chosen !== undefined && chosen !== parent?.traceId) {
    return { traceId: chosen, spanId: newSpanId(), isSampled: decide?.(chosen, undefined) ?? false };
  }
  if (parent === undefined || !traces.isSpanContextValid(parent)) {
    return startTrace(undefined, decide);
  }
  const traceId = parent.traceId.toLowerCase();
  const isSampled = (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceId,
    spanId: newSpanId(),
    parentSpanId: parent.spanId.toLowerCase(),
    isSampled: decide?.(traceId, isSampled) ?? isSampled,
  };
}
