import type { MetricsPusherOptions } from './metrics-pusher-options.ts';

/** Sends the metrics of a process to a collector, again and again. */
export interface MetricsPusher {
  /** Sends the metrics of the moment, within the time, and ends. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Starts to send. One export at a time: a collector that does not respond costs the process nothing more. What
 * OpenTelemetry has for it is loaded here.
 */
export async function createMetricsPusher(options: MetricsPusherOptions): Promise<MetricsPusher> {
  const { registry, destination, intervalMs, exportTimeoutMs, onFailure } = options;
  const [{ createOtlpSender }, { MetricsReader, metricsSerializer }] = await Promise.all([
    import('../otlp/otlp-sender.ts'),
    import('./metrics-reader.ts'),
  ]);
  const reader = new MetricsReader(registry, options);
  const send = await createOtlpSender({
    destination,
    signal: 'METRICS',
    serializer: metricsSerializer,
    timeoutMs: exportTimeoutMs,
  });
  let sending: Promise<void> | undefined;
  let isFailing = false;

  const sendNow = async (): Promise<void> => {
    const { metrics, accept } = await reader.read();
    const error = await send(metrics);
    if (error === undefined) {
      accept();
    } else {
      onFailure(error, !isFailing);
    }
    isFailing = error !== undefined;
  };
  const push = async (): Promise<void> => {
    sending ??= sendNow().finally(() => (sending = undefined));
    await sending.catch((error: unknown) =>
      onFailure(error instanceof Error ? error : new Error(String(error)), true),
    );
  };
  const timer = setInterval(() => void push(), intervalMs).unref();

  return {
    async close(timeoutMs) {
      clearInterval(timer);
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const over = setTimeout(resolve, timeoutMs);
      await Promise.race([(sending ?? Promise.resolve()).catch(() => undefined).then(push), timeout]);
      clearTimeout(over);
    },
  };
}
