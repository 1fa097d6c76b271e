import { statusRow, waiting } from './status.ts';
import type { Status } from './status.ts';
import { styleFor } from './style.ts';
import type { Output } from './style.ts';

/** Shows the start, as it goes. */
export interface StartView {
  show(name: string, status: Status): void;
  /** Ends it, before anything else is written. */
  end(): void;
}

/** A process that is shown from the beginning. */
export interface ScreenEntry {
  readonly name: string;
  readonly address: string;
  /** The file of its log. */
  readonly log: string;
}

/** Shows the start as lines, for a log. */
export function createPlainStart(stream: Output): StartView {
  return {
    show: (name, { text }) => void stream.write(`${name.padEnd(12)}${text}\n`),
    end: () => undefined,
  };
}

const turnEveryMs = 100;
const turning = ['◐', '◓', '◑', '◒'];
const marks = { waiting: '○', busy: '◐', good: '●', bad: '●' } as const;
const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

/** Shows the start as a table that is updated in place. */
export function createLiveStart(terminal: Output, entries: readonly ScreenEntry[]): StartView {
  const style = styleFor(terminal);
  const statuses = new Map<string, Status>();
  let turn = 0;
  let height = 0;
  // Moves to the first line, and clears from there to the end of the screen.
  const erase = (): string => (height === 0 ? '' : `\u001B[${height}A\u001B[0J`);
  const draw = (): void => {
    const rows = entries.map(({ name, address }) => {
      const status = statuses.get(name) ?? waiting;
      const mark =
        (status.mood === 'busy' ? turning[turn % turning.length] : undefined) ?? marks[status.mood];
      // Cut to the width: a line that wraps would be two.
      return statusRow({ name, address, status, mark }, { style, width: terminal.columns ?? 80 });
    });
    const lines = ['', `  ${style('bold', 'Meridian')} is starting`, '', ...rows, ''];
    terminal.write(`${hideCursor}${erase()}${lines.map((line) => `${line}\n`).join('')}`);
    height = lines.length;
    turn += 1;
  };
  const turns = setInterval(draw, turnEveryMs);
  draw();
  return {
    show(name, status) {
      statuses.set(name, status);
      draw();
    },
    end() {
      clearInterval(turns);
      terminal.write(`${erase()}${showCursor}`);
    },
  };
}
