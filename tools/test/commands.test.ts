import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { callCommand } from '../../packages/development/testing/src/index.ts';
import type { CommandEnding } from '../../packages/development/testing/src/index.ts';
import { everyday } from '../list-commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(textOf('package.json'));

/** The folder with a file for each command. */
const home = 'tools/commands/';

/** Those that run a file of the home; the others run somebody else's program. */
const ownScripts = Object.keys(scripts).filter((name) => programOf(name).startsWith(home));
/** `<name>:check` may be `<name>` with flags. */
const distinctScripts = ownScripts.filter(
  (name) => !(name.endsWith(':check') && programOf(name) === programOf(name.replace(/:check$/u, ''))),
);
const benchmarks = globSync('packages/development/benchmarks/src/*/main.ts', { cwd: root }).map((path) =>
  basename(dirname(path)),
);
/** Commands of their own until the next release. */
const oldNames = ['who', 'deprecated', 'history', 'plan', 'usage'];
const commands = [
  ...distinctScripts.filter((name) => !oldNames.includes(name)),
  ...oldNames.map((name) => `graph ${name}`),
  ...benchmarks.map((name) => `bench ${name}`),
];
/** Their programs are entries of apps and packages, which run once in a process. */
const entries = new Set([
  'gateway',
  'storefront',
  'migrate',
  ...commands.filter((name) => name.startsWith('bench ')),
]);

/** The words that pnpm runs a command of package.json by. */
function wordsOf(command: string): string[] {
  const [script = '', ...args] = command.split(' ');
  const [, ...programWords] = (scripts[script] ?? '').split(' ');
  return [...programWords, ...args];
}

/** Runs a command of package.json as pnpm would. */
async function run(command: string, ...flags: readonly string[]): Promise<CommandEnding> {
  const args = [...wordsOf(command), ...flags];
  const env = { ...process.env, npm_lifecycle_event: command };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root, env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** The same in this process, where that is possible: it is quicker. */
async function call(command: string, flag: string): Promise<CommandEnding> {
  const [file = '', ...args] = wordsOf(command);
  return entries.has(command)
    ? await run(command, flag)
    : await callCommand(new URL(`../../${file}`, import.meta.url), [...args, flag], { cwd: root });
}

/** The file that a script of package.json runs with Node, without preloaded modules; empty for any other program. */
function programOf(script: string): string {
  const args = (scripts[script] ?? '').split(' ');
  return args[0] === 'node' ? (args.find((word) => /^[^-.].*\.[jt]s$/.test(word)) ?? '') : '';
}

/** `pnpm token` is a command of pnpm's own. */
function callOf(command: string): string {
  return command === 'token' ? 'pnpm run token' : `pnpm ${command}`;
}

/** The commands that a table of a page names: the table whose first row this is. */
function namedIn(page: string, firstRow: string): string[] {
  const [, table = ''] = textOf(page).split(`\n${firstRow}\n|---|---|\n`);
  const rows = (table.split('\n\n')[0] ?? '').split('\n');
  const cells = rows.map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) =>
    Array.from(cell.matchAll(/`(?:pnpm )?(?:run )?([\w:-]+)/g), ([, name = '']) => name),
  );
}

function textOf(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

describe('The commands of package.json:', () => {
  test.each(commands)(
    'pnpm %s prints its usage for --help, and rejects an unknown flag in one line',
    async (command) => {
      expect(await call(command, '--help')).toEqual({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^Usage: ${callOf(command)}[ \n]`, 'u')),
        stderr: '',
      });
      const fault =
        command === 'bench' ? '<name> is "--nonsense"; it takes .*' : "Unknown option '--nonsense'";
      expect(await call(command, '--nonsense')).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^${fault}: see ${callOf(command)} --help\n$`, 'u')),
      });
    },
  );

  test('a command runs the file of tools/commands that is named as it is typed, and each file there is a command', () => {
    const named = distinctScripts.filter((name) => !oldNames.includes(name));
    expect(globSync('*', { cwd: join(root, home) }).toSorted()).toEqual(
      named.map((name) => `${name.replaceAll(':', '-')}.ts`).toSorted(),
    );
    expect(named.map(programOf)).toEqual(named.map((name) => `${home}${name.replaceAll(':', '-')}.ts`));
    const programs = Object.keys(scripts).map(programOf);
    expect(programs.filter((program) => program.endsWith('.ts') && !program.startsWith(home))).toEqual([]);
  });

  test('the old name of a question of pnpm graph works, and says its new one', async () => {
    expect(oldNames.map((name) => scripts[name])).toEqual(
      oldNames.map((name) => `node ${home}graph.ts ${name}`),
    );
    expect(await run('plan', '--help')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Usage: pnpm graph plan /u),
      stderr: 'pnpm plan is pnpm graph plan now; the old name goes with the next release\n',
    });
  });

  test('pnpm commands lists each command with a sentence, first the ones in the table of README.md', async () => {
    const { stdout } = await run('commands');
    const listed = Array.from(stdout.matchAll(/^ {2}(?:run )?([\w:-]+) +\w/gmu), ([, name = '']) => name);
    expect(new Set(listed)).toEqual(new Set(distinctScripts.filter((name) => !oldNames.includes(name))));
    expect(listed.slice(0, everyday.length)).toEqual(everyday);
    expect(namedIn('README.md', '| | |')).toEqual(everyday);
  });

  test('the pages name commands that there are', () => {
    const pages = globSync(['*.md', '{apps,deploy,docker,docs,examples,packages,tools}/**/*.md'], {
      cwd: root,
      exclude: ['**/node_modules/**', 'CHANGELOG.md'],
    });
    expect(pages.length).toBeGreaterThan(60);
    const ofPnpm = new Set(['install', 'rebuild', 't']);
    const unknown = pages.flatMap((page) =>
      Array.from(textOf(page).matchAll(/(?:`|^|[$&|] )pnpm (?:--silent )?(?:run )?([a-z][\w:-]*)/gmu))
        .map(([, name = '']) => name)
        .filter((name) => scripts[name] === undefined && !ofPnpm.has(name))
        .map((name) => `${page}: pnpm ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
