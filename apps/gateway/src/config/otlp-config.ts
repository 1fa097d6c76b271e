import type { RouterConfig } from '@meridian/router-config';
import type { OtlpDestination, SpanExporterOptions } from '@meridian/telemetry';

type Exporters = RouterConfig['telemetry']['exporters'];

/** The default ports of collectors. */
const ports = { grpc: 4317, http: 4318 };

/** The collector of a section `otlp`. */
export function otlpDestination(
  {
    endpoint,
    protocol,
    http,
    grpc,
  }: Pick<Exporters['tracing']['otlp'], 'endpoint' | 'protocol' | 'http' | 'grpc'>,
  signal: 'traces' | 'metrics',
): OtlpDestination {
  const url = endpoint === 'default' ? `http://127.0.0.1:${ports[protocol]}` : endpoint;
  if (protocol === 'http') {
    return { protocol, url: withPath(url, `/v1/${signal}`), headers: Object.fromEntries(http.headers) };
  }
  const { ca, cert, key, domain_name: serverName, metadata } = grpc;
  return {
    protocol,
    url,
    headers: Object.fromEntries(metadata),
    tls: {
      authorities: ca,
      identity: cert === undefined || key === undefined ? undefined : { certificate: cert, key },
      serverName,
    },
  };
}

/** As in Apollo Router, a URL that has a path keeps it. */
export function withPath(url: string, path: string): string {
  return new URL(url).pathname === '/' ? `${url.replace(/\/$/, '')}${path}` : url;
}

/** The attributes of this service as the origin of telemetry. */
export function resourceOf({
  service_name: name,
  service_namespace: namespace,
  resource,
}: Pick<
  Exporters['tracing']['common'],
  'service_name' | 'service_namespace' | 'resource'
>): SpanExporterOptions['resource'] {
  return {
    'service.name': name,
    ...(namespace !== undefined && { 'service.namespace': namespace }),
    ...Object.fromEntries(resource),
  };
}
