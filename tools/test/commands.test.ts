import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** Whose tests do not start them; the other commands have such tests beside them. */
const commands = [
  'gateway',
  'differential',
  'soak:executor',
  'bench accounts',
  'bench gateway',
  'bench subgraph',
];

interface Ending {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of package.json as pnpm would. */
async function run(command: string, flag: string): Promise<Ending> {
  const [script = '', ...words] = command.split(' ');
  const [, ...programWords] = (scripts[script] ?? '').split(' ');
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...programWords, ...words, flag],
      { cwd: root },
      (_error, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
}

describe('a command of package.json', () => {
  test.each(['gateway', 'migrate', 'differential'])(
    'pnpm %s --help says how it is called, on standard output',
    async (command) => {
      const { exitCode, stdout } = await run(command, '--help');
      expect(stdout).toMatch(new RegExp(`^Usage: pnpm ${command} `, 'u'));
      expect(exitCode).toBe(0);
    },
  );

  test.each(commands)('pnpm %s names a flag that it does not know, without a stack', async (command) => {
    const { exitCode, stderr } = await run(command, '--nonsense');
    expect(stderr).toMatch(/^Unknown option '--nonsense'/u);
    expect(stderr).toContain(`pnpm ${command} `);
    expect(stderr).not.toMatch(/^ {4}at /mu);
    expect([1, 2]).toContain(exitCode);
  });
});
