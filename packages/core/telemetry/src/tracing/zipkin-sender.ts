import type { SendBatch } from '../otlp/otlp-sender.ts';
import type { SpanExporterOptions, ZipkinDestination } from './span-exporter-options.ts';
import type { AttributeValue, Span } from './span.ts';

type Tags = Readonly<Record<string, string>>;

/**
 * Creates a sender of Zipkin's JSON, version 2, with the tags that OpenTelemetry's specification gives to Zipkin. A
 * request that has no whole response in time is ended; OpenTelemetry's own exporter for Zipkin leaves it open.
 */
export function createZipkinSender(
  destination: ZipkinDestination,
  { resource, maxAttributes, exportTimeoutMs }: SpanExporterOptions,
): SendBatch<readonly Span[]> {
  const ofResource = tagsOf(Object.entries(resource));
  const { url, headers } = requestTo(destination);
  return async (batch) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(batch.map((span) => zipkinSpan(span, ofResource, maxAttributes))),
        redirect: 'error',
        signal: AbortSignal.timeout(exportTimeoutMs),
      });
      await response.arrayBuffer();
      return response.ok ? undefined : new Error(`Zipkin responded with ${response.status}`);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
}

/** Credentials of the URL are sent as RFC 7617 §2 says: `fetch` takes none in a URL, and quotes it in its error. */
function requestTo(destination: ZipkinDestination): { readonly url: URL; readonly headers: Headers } {
  const url = new URL(destination.url);
  const { username, password } = url;
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (username + password !== '') {
    const credentials = [username, password].map((part) => decodeURIComponent(part)).join(':');
    headers.set('Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  return { url, headers };
}

const kinds = { internal: undefined, server: 'SERVER', client: 'CLIENT' };

/** Times in microseconds. */
function zipkinSpan(span: Span, ofResource: Tags, maxAttributes: number): object {
  const { name, kind, traceId, spanId: id, parentSpanId: parentId, startMs, endMs, error } = span;
  const attributes = Object.entries(span.attributes).filter(([, value]) => value !== undefined);
  const dropped = attributes.length - maxAttributes;
  return {
    traceId,
    parentId,
    name,
    id,
    kind: kinds[kind],
    timestamp: Math.round(startMs * 1000),
    // Zipkin takes no duration below one microsecond.
    duration: Math.max(1, Math.round((endMs - startMs) * 1000)),
    localEndpoint: { serviceName: ofResource['service.name'] },
    tags: {
      ...tagsOf(attributes.slice(0, maxAttributes)),
      ...(error !== undefined && { 'otel.status_code': 'ERROR', error }),
      ...(dropped > 0 && { 'otel.dropped_attributes_count': String(dropped) }),
      ...ofResource,
    },
  };
}

/** Zipkin has texts only. */
function tagsOf(
  entries: readonly (readonly [string, AttributeValue | readonly AttributeValue[] | undefined])[],
): Tags {
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
