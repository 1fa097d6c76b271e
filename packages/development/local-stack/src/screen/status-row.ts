import type { Status } from './status.ts';
import type { Style } from './style.ts';

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
