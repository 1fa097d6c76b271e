import { resolve } from 'node:path';

import { UsageError, flagValue, integer, readArgs } from '@meridian/settings/command-line';
import type { Flags } from '@meridian/settings/command-line';

import { defaultDataRoot } from '../data-directory.ts';
import type { PortChoice } from '../allocate-ports.ts';
import { readServices } from '../apps/services.ts';
import { StackError } from '../stack-error.ts';

/** The options of `pnpm start`. */
export interface StartOptions {
  /** True to start over, without the data of earlier starts. */
  readonly fresh: boolean;
  /** The services whose data is dropped first; the others keep theirs. */
  readonly reset: readonly string[];
  readonly ports: PortChoice;
  /** An absolute path. */
  readonly dataRoot: string;
  /**
   * The URL of a PostgreSQL server to use instead of the stack's own, with a role that may create databases and roles.
   */
  readonly serverUrl: string | undefined;
  /** The inherited environment of services. */
  readonly environment: NodeJS.ProcessEnv;
  /** The subgraphs whose files are watched. */
  readonly watched: readonly string[];
}

/** The flags of every command that runs a stack. */
export const stackFlagsHelp = `  --fresh            start over: stop what still runs, remove .data, begin anew
  --reset <service>  begin the data of this service anew, and keep the others';
                     may be given several times
  --port-offset <n>  add n to every port, for a second checkout beside the first
  --free-ports       take free ports instead; the screen says which
  --data <folder>    keep everything there instead of in .data
  --help             print this

DATABASE_URL       a PostgreSQL server of your own (15 or later) to use instead,
                   as a role that may create databases and roles; the stack makes
                   databases meridian_<service> there
<SUBGRAPH>_URL     the address of a subgraph that runs elsewhere, if not the one
                   in its app.yaml
`;

export const startHelp = `Usage: pnpm start [flags]

Starts Meridian on this machine: PostgreSQL, an identity, every service and the
gateway, with demo data. Ctrl-C stops all of it.

${stackFlagsHelp}`;

/** No service has a higher port than 8088. */
const maxOffset = 65_535 - 8088;

/**
 * Reads the flags and the environment of `pnpm start`.
 *
 * @throws {UsageError} for a flag, {StackError} for a variable that it cannot take
 */
export function readStartOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  return startOptionsOf(readArgs(args, stackFlags).flags, environment);
}

/** The flags of every command that runs a stack. */
export const stackFlags = {
  fresh: { type: 'boolean', default: false },
  reset: { type: 'string', multiple: true },
  'port-offset': { type: 'string' },
  'free-ports': { type: 'boolean', default: false },
  data: { type: 'string', default: defaultDataRoot },
} as const;

/**
 * The values of those flags.
 *
 * @throws {UsageError} for a flag, {StackError} for a variable that it cannot take
 */
export function startOptionsOf(
  flags: Flags<typeof stackFlags>,
  environment: NodeJS.ProcessEnv,
): StartOptions {
  if (flags['free-ports'] && flags['port-offset'] !== undefined) {
    throw new UsageError('--free-ports and --port-offset exclude each other: give one of them');
  }
  const reset = flags.reset ?? [];
  const services = readServices();
  const unknown = reset.find((name) => services.every((service) => service.name !== name));
  if (unknown !== undefined) {
    const names = services.map(({ name }) => name).join(', ');
    throw new UsageError(`--reset is ${JSON.stringify(unknown)}; it takes ${names}`);
  }
  return {
    fresh: flags.fresh,
    reset,
    ports: flags['free-ports'] ? 'free' : { offset: readOffset(flags['port-offset']) },
    dataRoot: resolve(flags.data),
    serverUrl: readServerUrl(environment.DATABASE_URL ?? ''),
    environment,
    watched: [],
  };
}

/** An empty variable counts as absent. The message never repeats the URL, which holds a password. */
function readServerUrl(text: string): string | undefined {
  if (text !== '' && !(/^postgres(?:ql)?:\/\//u.test(text) && URL.canParse(text))) {
    throw new StackError('DATABASE_URL is not a URL that starts with postgresql://');
  }
  return text === '' ? undefined : text;
}

function readOffset(text = '0'): number {
  return flagValue('--port-offset', text, integer({ minimum: 0, maximum: maxOffset }));
}
