import type { Health } from '../run/supervise.ts';
import type { Style } from './style.ts';

/** A status in a few words. */
export interface Status {
  readonly mood: 'waiting' | 'busy' | 'good' | 'bad';
  readonly text: string;
}

export const waiting: Status = { mood: 'waiting', text: 'waiting' };

/** The status to show for a health. */
export function statusOf(health: Health): Status {
  return health.is === 'down'
    ? { mood: 'bad', text: health.how }
    : { mood: moods[health.is], text: health.is };
}

const moods = { starting: 'busy', ready: 'good', stopping: 'busy', stopped: 'waiting' } as const;

const nameWidth = 12;
const addressWidth = 36;

/** One line about a process: a mark, its name, its URL, its status. Cut to the width of the terminal. */
export function statusRow(
  { name, address, status, mark }: { name: string; address: string; status: Status; mark: string },
  { style, width }: { style: Style; width: number },
): string {
  const colour = colours[status.mood];
  const room = width - nameWidth - addressWidth - 4;
  return [
    '  ',
    style(colour, mark),
    ' ',
    style('bold', name.padEnd(nameWidth)),
    address.padEnd(addressWidth),
    style(colour, cut(status.text, room)),
  ]
    .join('')
    .trimEnd();
}

const colours = { waiting: 'dim', busy: 'yellow', good: 'green', bad: 'red' } as const;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text;
}
