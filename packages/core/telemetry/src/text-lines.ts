import { printable, printableLines } from '@meridian/settings/values';

import type { LineWriter } from './batched-lines.ts';

/** Writes lines of the log, which are JSON, as text for people: `12:34:56.789 WARN  message  name=value …`. */
export function textLines(lines: LineWriter): LineWriter {
  return { write: (line) => lines.write(asText(line)), flushSync: () => lines.flushSync() };
}

/** Members that have their own place in the text, or say the same on every line of one process. */
const ownPlace = new Set(['level', 'time', 'service', 'msg', 'err']);

function asText(line: string): string {
  const members: Readonly<Record<string, unknown>> = JSON.parse(line);
  const { level, time, msg = '', err } = members;
  const others = Object.entries(members)
    .filter(([name]) => !ownPlace.has(name))
    .map(([name, value]) => `${printable(name)}=${valueAsText(value)}`);
  const [, clock = ''] = String(time).split('T');
  const head = [clock.replace('Z', ''), String(level).toUpperCase().padEnd(5), valueAsText(msg)];
  return `${[head.join(' '), ...others].join('  ')}\n${errorAsText(err)}`;
}

function valueAsText(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The stack of an error, indented, which pino puts together with the stacks of its causes. */
function errorAsText(error: unknown): string {
  if (error === undefined) {
    return '';
  }
  const hasStack = typeof error === 'object' && error !== null && 'stack' in error;
  const text = hasStack && typeof error.stack === 'string' ? printableLines(error.stack) : valueAsText(error);
  return `${text.replace(/^/gm, '    ')}\n`;
}
