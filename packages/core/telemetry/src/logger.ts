import { pino } from 'pino';
import type { DestinationStream, Level, Logger as PinoLogger } from 'pino';
import { printable, printableLines } from '@meridian/settings/values';

import type { LineWriter } from './batched-lines.ts';
import { batchLines } from './batched-lines.ts';
import { redactSecrets } from './redaction.ts';
import { shortenLine } from './shorten-line.ts';

/** A structured logger: `logger.info({ accountId }, 'account created')`; an error goes under `err`. */
export type Logger = PinoLogger;

export type LogLevel = Level | 'silent';

export type LogFormat = 'json' | 'text';

export interface LoggerOptions {
  /** The name of the process, on every line. */
  readonly service: string;
  /** The lowest level that is written. Default: `info`. */
  readonly level?: LogLevel;
  /** `text` for people at a terminal. Default: `json`. */
  readonly format?: LogFormat | undefined;
  /** The destination of each line. Default: standard output, in batches of 10 ms. */
  readonly destination?: DestinationStream;
}

/** Creates a logger. Each line is a JSON object, or its text, of bounded length, without secrets. */
export function createLogger({ service, level = 'info', format, destination }: LoggerOptions): Logger {
  const output = destination === undefined ? standardOutput() : unbatched(destination);
  const lines = format === 'text' ? textLines(output) : output;
  const time = createLineTime();
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: time,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: shortenLine },
    },
    redacting(lines),
  );
  outputs.set(logger, { lines, time, service });
  return logger;
}

/** An error as pino describes it, with the messages of its causes, except one that its own message has already. */
function describeError(error: unknown): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it returns anything else as it is
  const described = pino.stdSerializers.err(error as Error);
  if (error instanceof Error && error.cause instanceof Error) {
    const { message, cause } = error;
    if (cause.cause === undefined && typeof message === 'string' && message.includes(cause.message)) {
      described.message = message;
    }
  }
  return described;
}

/** The parts of a logger's lines, for those that are written without pino. */
export interface LogOutput {
  /** Takes lines without secrets. */
  readonly lines: LineWriter;
  /** The time of a line as its member, after a comma. */
  readonly time: () => string;
  readonly service: string;
}

const outputs = new WeakMap<Logger, LogOutput>();

/** The output of a logger that `createLogger` made; undefined for its children, and for any other. */
export function outputOf(logger: Logger): LogOutput | undefined {
  return outputs.get(logger);
}

function redacting(lines: LineWriter): LineWriter {
  return { write: (line) => lines.write(redactSecrets(line)), flushSync: () => lines.flushSync() };
}

/** Standard output. Where it takes nothing, as on a full disk, lines are lost and the process goes on. */
function standardOutput(): LineWriter {
  let hasFailed = false;
  const open = (): { write(lines: Buffer | string): unknown } =>
    // In this mode it takes bytes, which pino's types do not say.
    pino.destination({ fd: 1, sync: true, contentMode: 'buffer' }).on('error', () => (hasFailed = true));
  let output = open();
  return batchLines((lines) => {
    if (!hasFailed) {
      output.write(lines);
      return;
    }
    hasFailed = false;
    // The failed one would keep all lines. The last that it wrote may be cut.
    output = open();
    output.write(Buffer.concat([Buffer.from('\n'), lines]));
  });
}

function unbatched(destination: DestinationStream): LineWriter {
  return { write: (line) => destination.write(line), flushSync() {} };
}

/** Creates the `timestamp` of pino. A millisecond's text is made once: ten thousand lines a second share it. */
function createLineTime(): () => string {
  let knownMs = Number.NaN;
  let text = '';
  return () => {
    const ms = Date.now();
    if (ms !== knownMs) {
      knownMs = ms;
      text = `,"time":"${new Date(ms).toISOString()}"`;
    }
    return text;
  };
}

/** Writes lines of the log, which are JSON, as text for people: `12:34:56.789 WARN  message  name=value …`. */
function textLines(lines: LineWriter): LineWriter {
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
