import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

describe('The workflow', () => {
  it('compose.yml composes on each change request, on each push to main and on each release tag', () => {
    const { triggers, commands } = workflow('compose.yml');
    expect(triggers).toEqual({ push: { branches: ['main'], tags: ['v*'] }, pull_request: null });
    expect(commands).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/ pnpm@\S+ compose --check$/u),
        expect.stringMatching(/ pnpm@\S+ manifest --check$/u),
      ]),
    );
  });

  it('compose.yml checks removed fields against the usage of a database, and says so where none is named', () => {
    const command =
      workflow('compose.yml').commands.find((text) => text.includes('usage:check --before')) ?? '';
    expect(command).toContain('git show origin/main:supergraph.graphql');
    const { stdout, status } = spawnSync('bash', ['-ec', command], {
      encoding: 'utf8',
      env: { DATABASE_URL: '' },
    });
    expect({ stdout, status }).toEqual({
      stdout: expect.stringContaining(
        'usage: not checked, as the secret USAGE_DATABASE_URL names no database',
      ),
      status: 0,
    });
  });

  it('ci.yml runs .ci/run on each change request and on each push to main', () => {
    const { triggers, commands } = workflow('ci.yml');
    expect(triggers).toEqual({ push: { branches: ['main'] }, pull_request: null });
    expect(commands).toEqual(['bash .ci/run']);
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
