import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

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
const benchmarks = globSync('packages/benchmarks/src/*/main.ts', { cwd: root }).map((path) =>
  basename(dirname(path)),
);
const commands = [...distinctScripts, ...benchmarks.map((name) => `bench ${name}`)];

interface Ending {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of package.json as pnpm would. */
async function run(command: string, ...flags: readonly string[]): Promise<Ending> {
  const [script = '', ...args] = command.split(' ');
  const [, ...programWords] = (scripts[script] ?? '').split(' ');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...programWords, ...args, ...flags],
      { cwd: root },
      (_error, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
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

  test('a command runs the file of tools/commands that is named as it is typed, and each file there is a command', () => {
    expect(globSync('*', { cwd: join(root, home) }).toSorted()).toEqual(
      distinctScripts.map((name) => `${name.replaceAll(':', '-')}.ts`).toSorted(),
    );
    for (const name of distinctScripts) {
      expect(programOf(name)).toBe(`${home}${name.replaceAll(':', '-')}.ts`);
    }
    const programs = Object.keys(scripts).map(programOf);
    expect(programs.filter((program) => program.endsWith('.ts') && !program.startsWith(home))).toEqual([]);
  });

  test('pnpm commands lists each command with a sentence, first the ones in the table of README.md', async () => {
    const { stdout } = await run('commands');
    const listed = Array.from(stdout.matchAll(/^ {2}(?:run )?([\w:-]+) +\w/gmu), ([, name = '']) => name);
    expect(new Set(listed)).toEqual(new Set(distinctScripts));
    expect(listed.slice(0, everyday.length)).toEqual(everyday);
    expect(namedIn('README.md', '| | |')).toEqual(everyday);
  });

  test('every command is named in the table of README.md or of CONTRIBUTING.md, which name no other', () => {
    const named = new Set([
      ...namedIn('README.md', '| | |'),
      ...namedIn('CONTRIBUTING.md', '| while you work | |'),
      ...namedIn('CONTRIBUTING.md', '| less often | |'),
    ]);
    expect([...named].toSorted()).toEqual(Object.keys(scripts).toSorted());
  });
});
