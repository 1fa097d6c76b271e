import type { Metric, Registry } from 'prom-client';

/** A metric's name and unit in OpenTelemetry. */
export interface OtlpName {
  readonly name: string;
  /** Empty where there is none. */
  readonly unit: string;
}

/** The name of a metric whose name in Prometheus does not give it, and the names of its attributes by label. */
export interface OtlpNaming extends OtlpName {
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** Parts of names with an underscore of their own; all other underscores are dots. */
const words =
  /(graphql_error|(?<=operations_)response_cache|active_requests|open_connections|connections_refused|query_planning|batch_processor|status_code)/;

const units = [
  ['_seconds', 's'],
  ['_bytes', 'By'],
] as const;

/** The ends of names in Prometheus, as OpenTelemetry writes them. */
const unitSuffixes: ReadonlyMap<string, string> = new Map([
  ['d', '_days'],
  ['h', '_hours'],
  ['min', '_minutes'],
  ['s', '_seconds'],
  ['ms', '_milliseconds'],
  ['us', '_microseconds'],
  ['ns', '_nanoseconds'],
  ['By', '_bytes'],
  ['KiBy', '_kibibytes'],
  ['MiBy', '_mebibytes'],
  ['KBy', '_kilobytes'],
  ['MBy', '_megabytes'],
  ['%', '_percent'],
]);

/**
 * The name in OpenTelemetry of a metric that has a Prometheus name: `http.server.request.duration` in `s` for
 * `http_server_request_duration_seconds`. Apollo Router and OpenTelemetry's conventions have these names; a collector
 * that serves Prometheus makes the former name of it again.
 */
export function otlpNameOf(prometheusName: string): OtlpName {
  const withoutTotal = prometheusName.replace(/_total$/, '');
  const [suffix, unit] = units.find(([end]) => withoutTotal.endsWith(end)) ?? ['', ''];
  return { name: dotted(withoutTotal.slice(0, withoutTotal.length - suffix.length)), unit };
}

/** The name of an attribute: `http.response.status_code` for the label `http_response_status_code`. */
export function attributeNameOf(label: string): string {
  return dotted(label);
}

/** The name in Prometheus: `acme_requests_total` for a counter `acme.requests`, `acme_time_seconds` for one in `s`. */
export function prometheusNameOf({ name, unit }: OtlpName, isCounter: boolean): string {
  const suffix = unitSuffixes.get(unit) ?? '';
  const base = plainName(name);
  const withUnit = base.endsWith(suffix) ? base : `${base}${suffix}`;
  return isCounter && !withUnit.endsWith('_total') ? `${withUnit}_total` : withUnit;
}

/** A name as Prometheus takes it for a metric or a label. */
export function plainName(name: string): string {
  return name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
}

/** Registers a metric that has another name in OpenTelemetry than its own gives. */
export function registerMetric(registry: Registry, metric: Metric, otlpName: OtlpNaming | undefined): void {
  registry.registerMetric(otlpName === undefined ? metric : Object.assign(metric, { otlpName }));
}

/** The names of a metric in OpenTelemetry. */
export function otlpNamingOf(metric: Metric): OtlpNaming {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each metric has a name; `registerMetric` adds the other
  const { name, otlpName } = metric as unknown as { readonly name: string; readonly otlpName?: OtlpNaming };
  return otlpName ?? otlpNameOf(name);
}

function dotted(name: string): string {
  return name
    .split(words)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('_', '.')))
    .join('');
}
