/** Changes to the metrics of a process, as OpenTelemetry's views make them. */
export interface MetricViews {
  /** The upper bounds of histograms of times, ascending. Default: each has its own. */
  readonly buckets: readonly number[] | undefined;
  /** The most series of a metric. Further ones are added up in one, with the label `otel_metric_overflow`. */
  readonly cardinalityLimit: number | undefined;
  readonly views: readonly MetricView[];
  /** The error where a view gives a metric a name, in Prometheus, that another one has. */
  readonly inUse: (view: MetricView, name: string) => Error;
}

/** Changes to one metric. */
export interface MetricView {
  /**
   * In OpenTelemetry or in Prometheus: `http.server.request.duration`, `http_server_request_duration_seconds`. In it, `*`
   * means any characters, and `?` for one. The first view that fits a metric applies.
   */
  readonly name: string;
  /** In OpenTelemetry. */
  readonly rename: string | undefined;
  readonly description: string | undefined;
  /** As in UCUM. */
  readonly unit: string | undefined;
  readonly isDropped: boolean;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[] | undefined;
  /** The names of the labels that remain, in either notation. Series that differ in others are added up. */
  readonly allowedLabels: ReadonlySet<string> | undefined;
  readonly cardinalityLimit: number | undefined;
}
