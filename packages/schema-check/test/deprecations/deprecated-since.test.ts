import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { createDeprecatedSince } from '../../src/deprecations/deprecated-since.ts';

const plain = 'type Query { a: Int b: Int }';
const deprecated = 'type Query { a: Int @deprecated(reason: "b") b: Int }';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deprecated-'));
  root = join(folder, 'repository');
  git(folder, undefined, 'init', '--quiet', root);
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(cwd: string, day: string | undefined, ...args: readonly string[]): void {
  const date = day && { GIT_COMMITTER_DATE: `${day}T12:00:00Z`, GIT_AUTHOR_DATE: `${day}T12:00:00Z` };
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    env: { ...process.env, ...date },
    stdio: 'ignore',
  });
}

function commit(day: string, sdl: string): void {
  writeFileSync(join(root, 's.graphql'), sdl);
  git(root, undefined, 'add', '.');
  git(root, day, 'commit', '--quiet', '--message', day);
}

const sinceOf = (coordinate = 'Query.a', of = root): unknown =>
  createDeprecatedSince(of)('s.graphql', coordinate);

describe('The day of a deprecation', () => {
  it('is the day of the commit that brought it, whatever was changed after it', () => {
    commit('2026-01-01', plain);
    commit('2026-01-05', deprecated);
    commit('2026-01-09', `${deprecated} type Other { a: Int }`);
    expect(sinceOf()).toEqual({ since: '2026-01-05', isExact: true });
  });

  it('is the last one where the deprecation was taken back in between', () => {
    commit('2026-01-01', deprecated);
    commit('2026-01-05', plain);
    commit('2026-01-09', deprecated);
    expect(sinceOf()).toEqual({ since: '2026-01-09', isExact: true });
  });

  it('is the first day of an element that was deprecated from the start', () => {
    commit('2026-01-01', deprecated);
    commit('2026-01-05', `${deprecated} type Other { a: Int }`);
    expect(sinceOf()).toEqual({ since: '2026-01-01', isExact: true });
  });

  it('is not there while the deprecation is not committed', () => {
    commit('2026-01-01', plain);
    writeFileSync(join(root, 's.graphql'), deprecated);
    expect(sinceOf()).toEqual({ since: null, isExact: true });
  });

  it('is a bound where the clone is shallow', () => {
    commit('2026-01-01', plain);
    commit('2026-01-05', deprecated);
    commit('2026-01-09', `${deprecated} type Other { a: Int }`);
    const clone = join(folder, 'clone');
    git(folder, undefined, 'clone', '--quiet', '--depth', '1', `file://${root}`, clone);
    expect(sinceOf('Query.a', clone)).toEqual({ since: '2026-01-09', isExact: false });
  });

  it('is unknown for a file that git does not have', () => {
    expect(sinceOf()).toBeUndefined();
  });
});
