import type { ScreenEntry } from './start-view.ts';
import { statusRow } from './status.ts';
import type { Style } from './style.ts';

export interface RunningScreenOptions {
  readonly entries: readonly ScreenEntry[];
  readonly tookMs: number;
  readonly explorerUrl: string;
  /** The folder of the logs. */
  readonly logs: string;
  /** Lines to paste. */
  readonly commands: readonly string[];
  readonly style: Style;
}

const width = 80;

/** The screen of a ready stack: its URLs, and commands to try. */
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
    `  ${style('bold', 'More')}: pnpm storefront, pnpm graph; pnpm commands lists all`,
    `  ${style('bold', 'Try it')}: paste what follows into another terminal`,
    '',
    ...commands.map((line) => (line === '' ? '' : `  ${isQuiet(line) ? style('dim', line) : line}`)),
    '',
    `  Logs are in ${logs}. Ctrl-C stops everything.`,
    '',
  ];
}

/** Dims comments, and the long token. */
function isQuiet(line: string): boolean {
  return line.startsWith('#') || line.startsWith('export TOKEN=');
}
