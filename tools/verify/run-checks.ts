import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { styleText } from 'node:util';

/**
 * Runs checks: a line for each as it ends; after them, in full, what the failing ones printed. The last line is
 * `verify: 7 passed, 1 failed`.
 */
export async function reportChecks(name: string, checks: readonly Check[]): Promise<void> {
  const outcomes = await runChecks(checks, Math.min(2, availableParallelism()), (outcome) => {
    const mark = outcome.passed ? styleText('green', '✓') : styleText('red', '✗');
    console.log(`${mark} ${outcome.name.padEnd(16)}${outcome.seconds.toFixed(1).padStart(6)} s`);
  });
  const failed = outcomes.filter((outcome) => !outcome.passed);
  for (const outcome of failed) {
    console.log(`\n${styleText('bold', `── ${outcome.name}`)}\n${outcome.output.trim()}`);
  }
  console.log(`\n${name}: ${outcomes.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** A program whose exit code says whether a check passed. */
export interface Check {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
}

/** The outcome of a check; `output` is its output, including standard error, in the order of printing. */
export interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** The script of package.json with this name. */
export function scriptCheck(name: string): Check {
  return { name, command: ['pnpm', 'run', name] };
}

/**
 * Runs checks, `atOnce` at a time. Gives the outcomes in the order of the checks. Never rejects: a program that can't be
 * started is a check that failed.
 *
 * @param onOutcome is called as each ends
 */
export async function runChecks(
  checks: readonly Check[],
  atOnce: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes = new Map<Check, Outcome>();
  const waiting = checks.values();
  const work = async (): Promise<void> => {
    for (const check of waiting) {
      const outcome = await runCheck(check);
      outcomes.set(check, outcome);
      onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return checks.flatMap((check) => outcomes.get(check) ?? []);
}

function runCheck({ name, command: [program, ...args] }: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
      chunks.push(Buffer.from(`cannot run ${program}: ${error.message}\n`));
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}
