import type { Health } from '../run/supervise.ts';
import { createLiveStart, createPlainStart } from './start-view.ts';
import type { ScreenEntry } from './start-view.ts';
import { statusOf } from './status.ts';
import { styleFor } from './style.ts';
import type { Output } from './style.ts';

/** The screen for the user of the stack. */
export type Screen = ReturnType<typeof createScreen>;

/** Starts with the progress of the start: on a terminal as a table that is updated in place, elsewhere as lines. */
export function createScreen(stream: Output, entries: readonly ScreenEntry[]) {
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
    /** Shows the current step of the preparation of a process. */
    step(name: string, step: string): void {
      if (phase === 'start') {
        start.show(name, { mood: 'busy', text: step });
      }
    },
    /** Shows the health of a process. */
    health(name: string, health: Health): void {
      if (phase === 'start') {
        start.show(name, statusOf(health));
      } else if (phase === 'running' && health.is === 'down') {
        const again = `starting it again in ${health.nextTryInMs / 1000} s`;
        note(`${name} ${health.how}; ${again}. Its log is ${logs.get(name)}`, 'bad');
      } else if (phase === 'running' && health.is === 'ready') {
        note(`${name} is ready again`, 'good');
      }
    },
    /** Shows a line about the running stack, with the time. */
    note(line: string, mood: 'good' | 'bad'): void {
      if (phase === 'running') {
        note(line, mood);
      }
    },
    /** Ends the start with these lines. From now on, each failure and each recovery is one line. */
    finishStart(lines: readonly string[]): void {
      start.end();
      phase = 'running';
      write(lines);
    },
    /** Ends the live part of the screen, and shows a line, if any. */
    beginStop(line: string | undefined): void {
      if (phase === 'start') {
        start.end();
      }
      phase = 'stop';
      if (line !== undefined) {
        // The terminal has shown ^C at the cursor.
        write(stream.isTTY === true ? ['', line] : [line]);
      }
    },
  };
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}
