import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { CommandError } from '@meridian/settings/command-line';

import type { RoverBinary } from './binary.ts';

export interface RoverRun {
  readonly binary: RoverBinary;
  /** Where Rover keeps its plugins and settings, in place of the user's own home. */
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends Rover when it aborts; the result then has no exit code. */
  readonly signal?: AbortSignal;
}

export interface RoverResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs Rover once and collects what it writes.
 *
 * @throws {CommandError} when it cannot be started
 */
export async function runRover(args: readonly string[], run: RoverRun): Promise<RoverResult> {
  const { binary, home, environment, signal } = run;
  const rover = spawn(binary.path, [...args, '--skip-update-check'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      APOLLO_HOME: home,
      APOLLO_CONFIG_HOME: home,
      APOLLO_ELV2_LICENSE: 'accept',
      APOLLO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      // Without a backtrace, which does not help the user.
      RUST_BACKTRACE: '0',
    },
    ...(signal && { signal, killSignal: 'SIGKILL' as const }),
  });

  const exit = new Promise<number | null>((resolve, reject) => {
    rover.once('close', resolve);
    rover.once('error', (error) => {
      if (error.name !== 'AbortError') {
        reject(new CommandError(`Cannot run Rover: ${error.message}`, { cause: error }));
      }
    });
  });
  const [exitCode, stdout, stderr] = await Promise.all([exit, text(rover.stdout), text(rover.stderr)]);
  return { exitCode, stdout, stderr };
}
