import type { Health } from '../run/supervise.ts';
import { createLiveStart } from './live-start.ts';
import { createPlainStart } from './plain-start.ts';
import type { ScreenEntry } from './start-view.ts';
import { statusOf } from './status.ts';
import { styleFor } from './style.ts';
import type { Output } from './style.ts';

/** The screen for the user of the stack. */
export interface Screen {
  /** Shows what is being done for something before it starts. */
  step(name: string, step: string): void;
  /** Shows how something is. */
  health(name: string, health: Health): void;
  /** Ends the start with these lines. From now on, what goes wrong and what recovers is shown, a line each. */
  finishStart(lines: readonly string[]): void;
  /** Shows a line about a stack that runs, with the time. */
  note(line: string, mood: 'good' | 'bad'): void;
  /** Shows a line, if any, and from now on nothing more of what it had shown. */
  beginStop(line: string | undefined): void;
}

/** Begins with the start: on a terminal as a table that is drawn again in place, elsewhere as lines. */
export function createScreen(stream: Output, entries: readonly ScreenEntry[]): Screen {
  const style = styleFor(stream);
  const start = stream.isTTY === true ? createLiveStart(stream, entries) : createPlainStart(stream);
  let phase: 'start' | 'running' | 'stop' = 'start';
  const write = (lines: readonly string[]): void => {
    stream.write(lines.map((line) => `${line}\n`).join(''));
  };

  const note = (line: string, mood: 'good' | 'bad'): void => {
    write([style(mood === 'good' ? 'green' : 'red', `${timeOfDay()}  ${line}`)]);
  };
  const logs = new Map(entries.map(({ name, log }) => [name, log]));

  return {
    step(name, step) {
      if (phase === 'start') {
        start.show(name, { mood: 'busy', text: step });
      }
    },
    health(name, health) {
      if (phase === 'start') {
        start.show(name, statusOf(health));
      } else if (phase === 'running' && health.is === 'down') {
        const again = `starting it again in ${health.nextTryInMs / 1000} s`;
        note(`${name} ${health.how}; ${again}. Its log is ${logs.get(name)}`, 'bad');
      } else if (phase === 'running' && health.is === 'ready') {
        note(`${name} is ready again`, 'good');
      }
    },
    note(line, mood) {
      if (phase === 'running') {
        note(line, mood);
      }
    },
    finishStart(lines) {
      start.end();
      phase = 'running';
      write(lines);
    },
    beginStop(line) {
      if (phase === 'start') {
        start.end();
      }
      phase = 'stop';
      if (line !== undefined) {
        // A terminal has shown ^C where the cursor was.
        write(stream.isTTY === true ? ['', line] : [line]);
      }
    },
  };
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}
