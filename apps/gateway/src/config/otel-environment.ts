import type { RouterConfig } from '@meridian/router-config';
import type { ValueOf, VariableDefinition } from '@meridian/settings/environment';
import { integer, text, url, variable } from '@meridian/settings/environment';

const milliseconds = integer({ minimum: 1, maximum: 2_147_483_647 });
const count = integer({ minimum: 1 });
const protocols = new Map<string, 'grpc' | 'http'>([
  ['grpc', 'grpc'],
  ['http/protobuf', 'http'],
  ['http', 'http'],
]);
const protocol: VariableDefinition<'grpc' | 'http'> = {
  takes: 'grpc or http/protobuf',
  parse: (name) => protocols.get(name.toLowerCase()),
};
const attributes: VariableDefinition<Readonly<Record<string, string>>> = {
  takes: 'name=value, separated by commas',
  parse: parseAttributes,
};
const optional = { optional: true } as const;

/** OpenTelemetry's variables that count more than the file in Apollo Router, and those with which it does not start. */
export const otelVariables = {
  OTEL_SERVICE_NAME: variable(text, optional),
  OTEL_RESOURCE_ATTRIBUTES: variable(attributes, optional),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(protocol, optional),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: variable(protocol, optional),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: variable(protocol, optional),
  OTEL_EXPORTER_ZIPKIN_ENDPOINT: variable(url(['http', 'https']), optional),
  OTEL_BSP_SCHEDULE_DELAY: variable(milliseconds, optional),
  OTEL_BSP_EXPORT_TIMEOUT: variable(milliseconds, optional),
  OTEL_BSP_MAX_QUEUE_SIZE: variable(count, optional),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: variable(count, optional),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(text, optional),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(text, optional),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: variable(text, optional),
};

type OtelVariables = { readonly [Name in keyof typeof otelVariables]: ValueOf<(typeof otelVariables)[Name]> };
type Telemetry = RouterConfig['telemetry'];

/** `OTEL_RESOURCE_ATTRIBUTES`: members as in the field `baggage`, percent-encoded. */
function parseAttributes(list: string): Readonly<Record<string, string>> | undefined {
  const pairs = list.split(',').filter((pair) => pair.trim() !== '');
  try {
    const entries = pairs.map((pair) => {
      const end = pair.indexOf('=');
      return [
        pair.slice(0, Math.max(end, 0)).trim(),
        decodeURIComponent(pair.slice(end + 1).trim()),
      ] as const;
    });
    return entries.some(([name]) => name === '') ? undefined : Object.fromEntries(entries);
  } catch {
    return undefined;
  }
}

/** The settings of the file as the variables change them. */
export function withOtelVariables({ exporters, ...others }: Telemetry, variables: OtelVariables): Telemetry {
  const { tracing, metrics } = exporters;
  const both = variables.OTEL_EXPORTER_OTLP_PROTOCOL;
  return {
    ...others,
    exporters: {
      ...exporters,
      tracing: {
        ...tracing,
        common: { ...tracing.common, ...originOf(tracing.common, variables) },
        otlp: {
          ...tracing.otlp,
          protocol: variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? both ?? tracing.otlp.protocol,
          batch_processor: batchesOf(tracing.otlp.batch_processor, variables),
        },
        zipkin: {
          ...tracing.zipkin,
          endpoint: variables.OTEL_EXPORTER_ZIPKIN_ENDPOINT ?? tracing.zipkin.endpoint,
          batch_processor: batchesOf(tracing.zipkin.batch_processor, variables),
        },
      },
      metrics: {
        ...metrics,
        common: { ...metrics.common, ...originOf(metrics.common, variables) },
        otlp: {
          ...metrics.otlp,
          protocol: variables.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? both ?? metrics.otlp.protocol,
        },
      },
    },
  };
}

type Origin = Pick<Telemetry['exporters']['metrics']['common'], 'service_name' | 'resource'>;

function originOf(
  { service_name: name, resource }: Origin,
  { OTEL_SERVICE_NAME: ownName, OTEL_RESOURCE_ATTRIBUTES: own }: OtelVariables,
): Origin {
  const { 'service.name': named, ...more } = own ?? {};
  return {
    service_name: ownName ?? named ?? name,
    resource: new Map([...resource, ...Object.entries(more)]),
  };
}

type Batches = Telemetry['exporters']['tracing']['otlp']['batch_processor'];

function batchesOf(batches: Batches, variables: OtelVariables): Batches {
  return {
    scheduled_delay: variables.OTEL_BSP_SCHEDULE_DELAY ?? batches.scheduled_delay,
    max_queue_size: variables.OTEL_BSP_MAX_QUEUE_SIZE ?? batches.max_queue_size,
    max_export_batch_size: variables.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? batches.max_export_batch_size,
    max_export_timeout: variables.OTEL_BSP_EXPORT_TIMEOUT ?? batches.max_export_timeout,
  };
}

/** Apollo Router does not start with these: it would not be clear which endpoint holds. */
export function otelFaults({ exporters }: Telemetry, variables: OtelVariables): readonly string[] {
  return (['tracing', 'metrics'] as const)
    .filter((signal) => exporters[signal].otlp.enabled)
    .flatMap((signal) =>
      (
        [
          'OTEL_EXPORTER_OTLP_ENDPOINT',
          signal === 'tracing' ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
        ] as const
      )
        .filter((name) => variables[name] !== undefined)
        .map(
          (name) =>
            `telemetry.exporters.${signal}.otlp.endpoint: is the only place of the endpoint; unset ${name}`,
        ),
    );
}
