import type { Metric } from 'prom-client';
import { Registry } from 'prom-client';

import type { OtlpName, OtlpNaming } from '../otlp/otlp-names.ts';
import { otlpNameOf, otlpNamingOf, prometheusNameOf } from '../otlp/otlp-names.ts';
import type { MetricView, MetricViews } from './metric-views.ts';

type Collected = Awaited<ReturnType<Metric['get']>>;
type Sample = Collected['values'][number] & { readonly metricName?: string };

const overflowLabel = 'otel_metric_overflow';

/** A registry that shows its metrics as views say. They are counted as ever: views have their effect at the scrape. */
export class ViewedRegistry extends Registry {
  readonly #views: MetricViews;
  /** The names that renamed metrics are shown under, by their own. */
  readonly #renamed = new Map<string, string>();

  constructor(views: MetricViews) {
    super();
    this.#views = views;
  }

  /** @throws {Error} of `MetricViews.inUse` when the new name of a view is in use */
  override registerMetric(metric: Metric): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each metric has a name
    const { name } = metric as unknown as Described;
    const view = this.#viewOf(name, otlpNamingOf(metric));
    if (view?.isDropped === true) {
      return;
    }
    const limit = view?.cardinalityLimit ?? this.#views.cardinalityLimit;
    if (view === undefined && limit === undefined) {
      this.#checkFree(name, view);
      super.registerMetric(metric);
      return;
    }
    const viewed = new ViewedMetric(metric, view, limit);
    this.#checkFree(viewed.name, view);
    this.#renamed.set(name, viewed.name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a registry only reads these members
    super.registerMetric(viewed as unknown as Metric);
  }

  /** The metric that comes later may be the renamed one, or the one that has the name of its own. */
  #checkFree(name: string, view: MetricView | undefined): void {
    const held: unknown = super.getSingleMetric(name);
    const renaming = [view, held instanceof ViewedMetric ? held.view : undefined].find(
      (each) => each?.rename !== undefined,
    );
    if (held !== undefined && renaming !== undefined) {
      throw this.#views.inUse(renaming, name);
    }
  }

  override removeSingleMetric(name: string): void {
    super.removeSingleMetric(this.#renamed.get(name) ?? name);
  }

  /** The upper bounds of a histogram with this name; undefined for its own. */
  bucketsOf(name: string, otlpName: OtlpName = otlpNameOf(name)): readonly number[] | undefined {
    return (
      this.#viewOf(name, otlpName)?.buckets ?? (name.endsWith('_seconds') ? this.#views.buckets : undefined)
    );
  }

  #viewOf(name: string, otlpName: OtlpName): MetricView | undefined {
    const names = [name, plain(otlpName.name)];
    return this.#views.views.find((view) => names.some((each) => fits(each, view.name)));
  }
}

/** The members of metrics that prom-client does not declare. */
interface Described {
  readonly name: string;
  readonly help: string;
}

/** A metric as its view shows it. */
class ViewedMetric {
  readonly name: string;
  readonly help: string;
  /** For OTLP. */
  readonly otlpName: OtlpNaming;
  readonly #metric: Metric;
  readonly view: MetricView | undefined;
  readonly #limit: number;
  #admitted = new Set<string>();

  constructor(metric: Metric, view: MetricView | undefined, limit = Number.POSITIVE_INFINITY) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each metric has them
    const { name, help } = metric as unknown as Described;
    const own = otlpNamingOf(metric);
    this.otlpName = { ...own, name: view?.rename ?? own.name, unit: view?.unit ?? own.unit };
    this.name =
      view?.rename === undefined
        ? name
        : prometheusNameOf({ name: view.rename, unit: own.unit }, name.endsWith('_total'));
    this.help = view?.description ?? help;
    this.#metric = metric;
    this.view = view;
    this.#limit = limit;
  }

  async get(): Promise<Collected> {
    const collected = await this.#metric.get();
    const { name: ownName } = collected;
    const samples = new Map<string, Sample>();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- samples of histograms have a name of their own
    for (const sample of collected.values as Sample[]) {
      const { le, ...labels } = this.#shown(sample.labels);
      const admitted = this.#admit(labels);
      const shownLabels = le === undefined ? admitted : { le, ...admitted };
      const metricName = sample.metricName?.replace(ownName, this.name);
      const id = `${metricName} ${JSON.stringify(shownLabels)}`;
      const before = samples.get(id)?.value ?? 0;
      samples.set(id, {
        ...sample,
        ...(metricName !== undefined && { metricName }),
        labels: shownLabels,
        value: before + sample.value,
      });
    }
    return { ...collected, name: this.name, help: this.help, values: [...samples.values()] };
  }

  reset(): void {
    this.#metric.reset();
    this.#admitted = new Set();
  }

  #shown(labels: Sample['labels']): Sample['labels'] {
    const allowed = this.view?.allowedLabels;
    return allowed === undefined
      ? labels
      : Object.fromEntries(
          Object.entries(labels).filter(
            ([name]) => name === 'le' || [...allowed].some((label) => plain(label) === name),
          ),
        );
  }

  /** A series that was shown once is always shown. */
  #admit(labels: Sample['labels']): Sample['labels'] {
    const id = JSON.stringify(labels);
    if (this.#admitted.has(id)) {
      return labels;
    }
    if (this.#admitted.size < this.#limit) {
      this.#admitted.add(id);
      return labels;
    }
    return { [overflowLabel]: 'true' };
  }
}

/** True for a name that the pattern describes: `*` means any characters, `?` for one. */
function fits(name: string, pattern: string): boolean {
  const [start = '', ...parts] = pattern.split('*').map((part) => part.replaceAll(/[^\w:?]/g, '_'));
  const end = parts.pop();
  if (end === undefined) {
    return name.length === start.length && isAt(name, start, 0);
  }
  const endIndex = name.length - end.length;
  let index = start.length;
  for (const part of parts) {
    while (index + part.length <= endIndex && !isAt(name, part, index)) {
      index += 1;
    }
    index += part.length;
  }
  return index <= endIndex && isAt(name, start, 0) && isAt(name, end, endIndex);
}

function isAt(name: string, part: string, index: number): boolean {
  return Array.from(part).every((character, offset) =>
    character === '?' ? index + offset < name.length : name[index + offset] === character,
  );
}

function plain(name: string): string {
  return name.replaceAll(/[^\w:]/g, '_');
}
