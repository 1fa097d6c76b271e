/** The metrics of one process, as Prometheus text. */
export interface ProcessMetrics {
  readonly worker: string;
  readonly text: string;
}

interface Family {
  /** `# HELP` and `# TYPE`. */
  readonly comments: Set<string>;
  readonly samples: string[];
}

/**
 * The metrics of several processes as one text: each sample has the label `worker`, so that values such as an event
 * loop delay are not added up; `sum without (worker)` adds up the others.
 */
export function mergeMetrics(processes: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of processes) {
    let family: Family = { comments: new Set(), samples: [] };
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { comments: new Set(), samples: [] };
        families.set(name, family);
        family.comments.add(line);
      } else if (line !== '' && !line.startsWith('#')) {
        family.samples.push(labelled(line, worker));
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
