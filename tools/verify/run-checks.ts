import { spawn } from 'node:child_process';

/** A program whose exit code says whether a check passed. */
export interface Check {
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
}

/** The outcome of a check; `output` is its output, including standard error, in the order of printing. */
export interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

export interface RunOptions {
  /** The number of checks that run at a time. */
  readonly atOnce: number;
  /** The environment of the programs. */
  readonly environment: NodeJS.ProcessEnv;
  /** Called as each ends. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * Runs checks, some at a time. Gives the outcomes in the order of the checks. Never rejects: a program that can't be
 * started is a check that failed.
 */
export async function runChecks(
  checks: readonly Check[],
  { atOnce, environment, onOutcome }: RunOptions,
): Promise<Outcome[]> {
  const outcomes = new Map<Check, Outcome>();
  const waiting = [...checks];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const outcome = await runCheck(check, environment);
      outcomes.set(check, outcome);
      onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return checks.flatMap((check) => outcomes.get(check) ?? []);
}

function runCheck({ name, command, arguments: args }: Check, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  return new Promise((done) => {
    const end = (passed: boolean): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      done({ name, passed, seconds, output: Buffer.concat(chunks).toString() });
    };
    child.once('error', (error) => {
      chunks.push(Buffer.from(`cannot run ${command}: ${error.message}\n`));
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}
