import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

describe('The workflow', () => {
  it('compose.yml composes on each change request, in the merge queue, on each push to main and on each release tag', () => {
    const { triggers, commands } = workflow('compose.yml');
    expect(triggers).toEqual({
      push: { branches: ['main'], tags: ['v*'] },
      pull_request: null,
      merge_group: null,
    });
    expect(commands).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/ pnpm@\S+ compose --check$/u),
        expect.stringMatching(/ pnpm@\S+ manifest --check$/u),
      ]),
    );
  });

  it('compose.yml checks the graph against the base, writes the reports, and fails as the check does', () => {
    const command = workflow('compose.yml').commands.find((text) => text.includes(' check --base')) ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'workflow-'));
    writeFileSync(
      join(folder, 'npx'),
      '#!/bin/sh\necho "$@" > called\necho report > schema-check.md\nexit 3\n',
      { mode: 0o755 },
    );
    const check = (): number | null =>
      spawnSync('bash', ['-c', `set -e\n${command}`], {
        cwd: folder,
        env: {
          PATH: `${folder}:${process.env['PATH']}`,
          BASE: 'abc',
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        },
      }).status;
    const git = (...args: readonly string[]): void => {
      spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
        cwd: folder,
      });
    };
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'The first one, which has no base');
    expect(check()).toBe(0);
    git('commit', '--quiet', '--allow-empty', '--message', 'Another one');
    expect(check()).toBe(3);
    expect(readFileSync(join(folder, 'called'), 'utf8')).toMatch(
      / check --base HEAD\^ --format github --write markdown=/u,
    );
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe('report\n');
    for (const file of ['schema-usage.json', 'schema-usage-also.json', 'schema-usage-my-partner.json']) {
      writeFileSync(join(folder, file), '{}');
    }
    expect(check()).toBe(3);
    expect(readFileSync(join(folder, 'called'), 'utf8')).toContain(
      ' --usage schema-usage.json --usage also=schema-usage-also.json --usage my-partner=schema-usage-my-partner.json --format',
    );
    rmSync(folder, { recursive: true });
  });
});

interface Workflow {
  readonly on: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

/** The triggers of a workflow, and its commands, in order. */
function workflow(file: string): { triggers: unknown; commands: string[] } {
  const text = readFileSync(new URL(`../../.github/workflows/${file}`, import.meta.url), 'utf8');
  const { on: triggers, jobs }: Workflow = parse(text);
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  return { triggers, commands };
}
