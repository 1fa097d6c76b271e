import type { ScreenEntry } from './start-view.ts';
import { statusRow } from './status-row.ts';
import type { Style } from './style.ts';

export interface RunningScreenOptions {
  readonly entries: readonly ScreenEntry[];
  readonly tookMs: number;
  readonly explorerUrl: string;
  /** Where the logs are. */
  readonly logs: string;
  /** Lines to paste. */
  readonly commands: readonly string[];
  readonly style: Style;
}

const width = 80;

/** The screen of a stack that is ready: what is where, and what to do with it. */
export function runningScreen({
  entries,
  tookMs,
  explorerUrl,
  logs,
  commands,
  style,
}: RunningScreenOptions): string[] {
  const rows = entries.map(({ name, address }) =>
    statusRow({ name, address, status: { mood: 'good', text: 'ready' }, mark: '●' }, { style, width }),
  );
  return [
    '',
    `  ${style('bold', 'Meridian')} is ready, in ${(tookMs / 1000).toFixed(1)} s`,
    '',
    ...rows,
    '',
    `  ${style('bold', 'Look around')}: ${explorerUrl} in a browser`,
    `  ${style('bold', 'Try it')}: paste what follows into another terminal`,
    '',
    ...commands.map((line) => (line === '' ? '' : `  ${isQuiet(line) ? style('dim', line) : line}`)),
    '',
    `  Logs are in ${logs}. Ctrl-C stops everything.`,
    '',
  ];
}

/** Comments, and the token, which is for machines. */
function isQuiet(line: string): boolean {
  return line.startsWith('#') || line.startsWith('export TOKEN=');
}
