import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { expect } from '@jest/globals';

import { findFreePort } from '../../../packages/core/processes/src/index.ts';
import { eventually } from '../../../packages/development/testing/src/index.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
/** Where CI installs openapi-python-client: .ci/run. */
export const pythonPackages = fileURLToPath(new URL('../../../.data/python/', import.meta.url));
/** A page whose commands run in the folder of an example. */
const firstGateway = fileURLToPath(new URL('../../../docs/first-gateway.md', import.meta.url));

/** A copy of the examples, whose ports are free ones. */
export interface ExampleFolders {
  readonly folder: string;
  /** Port in the examples → the one in the copy. */
  readonly ports: ReadonlyMap<string, number>;
}

/** Every port that an example names: of the gateway, of accounts, and of its own programs. */
const examplePort = /(?<![\d.])(?:4000|4001|41\d\d)(?!\d)/gu;

/** @param ports of what runs already */
export async function copyExamples(ports: ReadonlyMap<string, number>): Promise<ExampleFolders> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-examples-'));
  cpSync(examples, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  cpSync(join(folder, 'two-subgraphs'), join(folder, 'first-gateway'), { recursive: true });
  cpSync(firstGateway, join(folder, 'first-gateway/README.md'));
  symlinkSync(join(examples, 'node_modules'), join(folder, 'node_modules'));
  const all = new Map(ports);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [port] of text.matchAll(examplePort)) {
      all.set(port, all.get(port) ?? (await findFreePort()));
    }
    writeFileSync(
      file,
      text.replaceAll(examplePort, (port) => String(all.get(port))),
    );
  }
  return { folder, ports: all };
}

/** A block of a README: commands, and what they print. */
interface Step {
  readonly commands: string;
  /** Parts of the output, in any order. */
  readonly prints: readonly string[];
}

/**
 * Runs the commands of a page one block after another, as a person would in its folder, and expects what it says that
 * they print. The programs that it leaves running are ended.
 *
 * @param page in the folder of the examples
 * @param token what `pnpm run token` prints
 */
export async function runPage(page: string, { folder, ports }: ExampleFolders, token = ''): Promise<void> {
  const cwd = dirname(join(folder, page));
  const steps = stepsOf(readFileSync(join(folder, page), 'utf8'));
  expect(steps.length).toBeGreaterThan(1);
  const env = {
    ...process.env,
    PATH: [
      writePrograms(folder, token),
      dirname(process.execPath),
      join(pythonPackages, 'bin'),
      process.env['PATH'],
    ].join(delimiter),
    PYTHONPATH: pythonPackages,
    PORT: String(ports.get('4000')),
    ADMIN_PORT: '0',
    NODE_ENV: undefined, // jest's own
  };
  const shells: ChildProcess[] = [];
  try {
    for (const { commands, prints } of steps) {
      // In a process group of its own, so that what it starts in the background is ended with it.
      const shell = spawn('sh', ['-e'], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
      shells.push(shell);
      let output = '';
      shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const exited = once(shell, 'exit');
      shell.stdin.end(`${commands}\n`);
      const [code] = await exited;
      expect({ code, output }).toMatchObject({ code: 0 });
      await eventually(() => prints.forEach((part) => expect(output).toContain(part)));
    }
  } finally {
    await Promise.all(shells.map(endGroup));
  }
}

function stepsOf(readme: string): readonly Step[] {
  return Array.from(readme.matchAll(/^```sh\n([^]*?)^```\n(?:\n```\n([^]*?)^```\n)?/gmu), (match) => ({
    commands: match[1] ?? '',
    prints: (match[2] ?? '').split('\n').filter((line) => line !== ''),
  }));
}

/** Programs that take the place of the installed ones, without the network. */
function writePrograms(folder: string, token: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const write = (name: string, script: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  write('npx', `exec ${join(folder, 'node_modules/.bin')}/"$@"`);
  write('pnpm', `test "$*" = '--silent run token' && echo '${token}'`);
  return bin;
}

async function endGroup(shell: ChildProcess): Promise<void> {
  const closed = shell.stdout?.closed === true ? undefined : once(shell, 'close');
  try {
    process.kill(-Number(shell.pid), 'SIGTERM');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error;
    }
  }
  await closed;
}

/** Removes the copy. */
export function removeExamples({ folder }: ExampleFolders): void {
  rmSync(folder, { recursive: true });
}

/** The names of all examples. */
export const exampleNames: readonly string[] = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name);

/** True for an example that needs more than Node. */
export function needsPython(name: string): boolean {
  return name.startsWith('python-');
}
