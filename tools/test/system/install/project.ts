import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The calls that install what a package.json names. Each manager reads the user's configuration for npm. */
const installCalls = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['npx', '--yes', 'pnpm@12.21.0', 'install', '--no-frozen-lockfile'],
  yarn: ['npx', '--yes', 'yarn@1.22.22', 'install', '--non-interactive', '--no-lockfile'],
} as const;

export type PackageManager = keyof typeof installCalls;

/** A folder in which nothing but packages is installed. */
export interface Project {
  readonly directory: string;
  /** Runs Node there, with these arguments. */
  run(args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  /** Runs a program that a package brings, and resolves with its first line on standard error that matches. */
  start(args: readonly string[], line: RegExp): Promise<{ child: ChildProcess; found: RegExpExecArray }>;
}

/**
 * Makes an empty folder and installs packages there.
 *
 * @param node the Node that installs and runs
 * @param dependencies name → range, or the path of a tarball
 */
export async function createProject(
  manager: PackageManager,
  node: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), `meridian-install-${manager}-`));
  // The packages are not on a registry: those that depend on another of them get its tarball as well.
  const overrides = Object.fromEntries(
    Object.entries(dependencies).filter(([, range]) => range.startsWith('file:')),
  );
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides, resolutions: overrides }),
  );
  await writeFile(
    join(directory, 'pnpm-workspace.yaml'),
    `strictDepBuilds: false\nallowUnusedPatches: true\noverrides: ${JSON.stringify(overrides)}\n`,
  );
  const [program, ...args] = installCalls[manager];
  await execute(program, args, { cwd: directory, env: environmentOf(node) });
  return {
    directory,
    run: (args) => execute(node, args, { cwd: directory, env: environmentOf(node) }),
    async start(args, line) {
      const child = spawn(node, args, {
        cwd: directory,
        env: environmentOf(node),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      return { child, found: await firstMatch(child, line) };
    },
  };
}

/** Stops a process that `start` has started, and waits for its end. */
export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function firstMatch({ stderr }: ChildProcess, line: RegExp): Promise<RegExpExecArray> {
  const seen: string[] = [];
  if (stderr !== null) {
    for await (const text of createInterface({ input: stderr })) {
      const found = line.exec(text);
      if (found !== null) {
        return found;
      }
      seen.push(text);
    }
  }
  throw new Error(`the program ended, and wrote:\n${seen.join('\n')}`);
}

/** With that Node first on the path, and without what this run's own package manager has set. */
function environmentOf(node: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_registry)|pnpm_|NODE_OPTIONS$|NODE_ENV$|CI$)/iu.test(name),
  );
  const path = [dirname(node), process.env['PATH']].join(delimiter);
  return { ...Object.fromEntries(inherited), PATH: path };
}
