/** One value of a metric, as Prometheus would read it. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples with this name in Prometheus text. */
export function samplesOf(text: string, name: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => ({
      labels: Object.fromEntries(
        Array.from(line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label = '', value = '']) => [
          label,
          value,
        ]),
      ),
      value: Number(line.slice(line.lastIndexOf(' '))),
    }));
}
