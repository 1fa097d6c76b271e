/** A metric's name and unit in OpenTelemetry. */
export interface OtlpName {
  readonly name: string;
  /** Empty where there is none. */
  readonly unit: string;
}

/** Parts of names with an underscore of their own; all other underscores are dots. */
const words =
  /(graphql_error|active_requests|open_connections|connections_refused|query_planning|batch_processor|status_code)/;

const units = [
  ['_seconds', 's'],
  ['_bytes', 'By'],
] as const;

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

/** The name in Prometheus of a metric with this name and unit. */
export function prometheusNameOf({ name, unit }: OtlpName, isCounter: boolean): string {
  const suffix = units.find(([, of]) => of === unit)?.[0] ?? '';
  const base = name.replaceAll(/[^\w:]/g, '_');
  return `${base}${base.endsWith(suffix) ? '' : suffix}${isCounter && !base.endsWith('_total') ? '_total' : ''}`;
}

function dotted(name: string): string {
  return name
    .split(words)
    .map((part) => (words.test(part) ? part : part.replaceAll('_', '.')))
    .join('');
}
