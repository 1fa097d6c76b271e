import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(textOf('package.json'));

/** Those that are programs of this repository; the others run somebody else's. `<name>:check` may be `<name>` with flags. */
const ownScripts = Object.keys(scripts).filter((name) => programOf(name).endsWith('.ts'));
const distinctScripts = ownScripts.filter(
  (name) => !(name.endsWith(':check') && programOf(name) === programOf(name.replace(':check', ''))),
);
const benchmarks = globSync('packages/benchmarks/src/*/main.ts', { cwd: root }).map((path) =>
  basename(dirname(path)),
);
const commands = [...distinctScripts, ...benchmarks.map((name) => `bench ${name}`)];

/** Programs share most of their modules, which are compiled once for all of them. */
let compileCache: string;

interface Ending {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of package.json as pnpm would. */
async function run(command: string, flag: string): Promise<Ending> {
  const [script = '', ...args] = command.split(' ');
  const [, ...programWords] = (scripts[script] ?? '').split(' ');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...programWords, ...args, flag],
      { cwd: root, env: { ...process.env, NODE_COMPILE_CACHE: compileCache } },
      (_error, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
}

/** What a script of package.json runs, without what is loaded before it; empty for what is no program of Node's. */
function programOf(script: string): string {
  const args = (scripts[script] ?? '').split(' ');
  return args[0] === 'node' ? (args.find((word) => /^[^-.].*\.[jt]s$/.test(word)) ?? '') : '';
}

/** `pnpm token` is a command of pnpm's own. */
function callOf(command: string): string {
  return command === 'token' ? 'pnpm run token' : `pnpm ${command}`;
}

/** The commands that the tables of a page name. */
function namedIn(page: string): string[] {
  const rows = textOf(page)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) =>
    Array.from(cell.matchAll(/`(?:pnpm )?(?:run )?([\w:-]+)/g), ([, name = '']) => name),
  );
}

function textOf(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

describe('The commands of package.json:', () => {
  beforeAll(async () => {
    compileCache = await mkdtemp(join(tmpdir(), 'meridian-commands-'));
  });

  afterAll(() => rm(compileCache, { recursive: true, force: true }));

  test.each(commands)(
    'pnpm %s prints its usage for --help, and refuses an unknown flag in one line',
    async (command) => {
      const [helped, refused] = await Promise.all([run(command, '--help'), run(command, '--nonsense')]);
      expect(helped).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(new RegExp(`^Usage: ${callOf(command)}[ \n]`, 'u')),
        stderr: '',
      });
      const fault =
        command === 'bench' ? '<name> is "--nonsense"; it takes .*' : "Unknown option '--nonsense'";
      expect(refused).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^${fault}: see ${callOf(command)} --help\n$`, 'u')),
      });
    },
  );

  test('every command is named in the tables of README.md or CONTRIBUTING.md', () => {
    const named = new Set(['README.md', 'CONTRIBUTING.md'].flatMap(namedIn));
    expect(Object.keys(scripts).filter((name) => !named.has(name))).toEqual([]);
  });
});
