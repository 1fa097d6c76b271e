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

/** The calls that install what a package.json names. Spaces separate the words. */
const installCalls = {
  npm: 'npm install --no-audit --no-fund',
  pnpm: 'npx --yes pnpm@12.21.0 install --no-frozen-lockfile',
  yarn: 'npx --yes yarn@1.22.22 install --non-interactive --no-lockfile',
} as const;

export type PackageManager = keyof typeof installCalls;

const cacheFlags: Readonly<Record<PackageManager, (folder: string) => readonly string[]>> = {
  npm: (folder) => [`--cache=${folder}`],
  pnpm: (folder) => [`--store-dir=${folder}/store`, `--config.cache-dir=${folder}/metadata`],
  yarn: (folder) => ['--cache-folder', folder],
};

/** Where packages come from. */
export interface PackageSource {
  /** URL of a registry. */
  readonly registry: string;
  /** Folder of the manager's cache. */
  readonly cache: string;
}

/** A process that runs, and the line by which it said so. */
export interface Started {
  readonly child: ChildProcess;
  readonly found: RegExpExecArray;
}

/** A folder in which nothing but packages is installed. */
export interface Project {
  readonly directory: string;
  /** Runs Node there, with these arguments. */
  run(args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  /** Runs Node there until it ends, and resolves with its first line on standard error that matches. */
  start(args: readonly string[], line: RegExp): Promise<Started>;
}

/**
 * Makes an empty folder and installs packages there.
 *
 * @param node the Node that installs and runs
 * @param dependencies name → range
 */
export async function createProject(
  manager: PackageManager,
  node: string,
  dependencies: Readonly<Record<string, string>>,
  { registry, cache }: PackageSource,
): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), `meridian-install-${manager}-`));
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  // Packages that were published a minute ago, and build scripts that nothing here needs.
  await writeFile(join(directory, 'pnpm-workspace.yaml'), 'strictDepBuilds: false\nminimumReleaseAge: 0\n');
  const [program = '', ...args] = installCalls[manager].split(' ');
  await execute(program, [...args, `--registry=${registry}`, ...cacheFlags[manager](cache)], {
    cwd: directory,
    env: environmentOf(node),
  });
  return {
    directory,
    run: (args) => execute(node, args, { cwd: directory, env: environmentOf(node) }),
    start: (args, line) => startProgram([node, ...args], { node, directory, line }),
  };
}

/**
 * Starts a program with that Node first on the path.
 *
 * @param line the line on standard error that is waited for
 */
export async function startProgram(
  [program = '', ...args]: readonly string[],
  { node, directory, line }: { readonly node: string; readonly directory: string; readonly line: RegExp },
): Promise<Started> {
  const child = spawn(program, args, {
    cwd: directory,
    env: environmentOf(node),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, found: await firstMatch(child, line) };
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
