/** Metrics as Prometheus text. */
export interface MetricsText {
  readonly text: string;
  /** The process that they are from, for its label; absent where all are of one. */
  readonly worker?: string;
}

interface Family {
  /** `# HELP` and `# TYPE`. */
  readonly comments: Set<string>;
  readonly samples: string[];
}

/**
 * Metrics of several registries as one text, in which a name occurs once. Samples of several processes have the label
 * `worker`, so that values such as an event loop delay are not added up; `sum without (worker)` adds up the others.
 */
export function mergeMetrics(texts: readonly MetricsText[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of texts) {
    let family: Family = { comments: new Set(), samples: [] };
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { comments: new Set(), samples: [] };
        families.set(name, family);
        family.comments.add(line);
      } else if (line !== '' && !line.startsWith('#')) {
        family.samples.push(worker === undefined ? line : labelled(line, worker));
      }
    }
  }
  const lines: string[] = [];
  for (const { comments, samples } of families.values()) {
    lines.push(...comments, ...samples, '');
  }
  return lines.join('\n');
}

/** A sample is a name, labels in braces where it has any, and a value. */
function labelled(sample: string, worker: string): string {
  const label = `worker="${worker}"`;
  const end = /^[\w:]+/.exec(sample)?.[0].length ?? 0;
  return sample[end] === '{'
    ? `${sample.slice(0, end)}{${label},${sample.slice(end + 1)}`
    : `${sample.slice(0, end)}{${label}}${sample.slice(end)}`;
}
