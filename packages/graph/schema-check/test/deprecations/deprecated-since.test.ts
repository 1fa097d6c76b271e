import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GitRepository } from '@meridian/testing';
import { createGitRepository } from '@meridian/testing';

import { createDeprecatedSince } from '../../src/deprecations/deprecated-since.ts';

const plain = 'type Query { a: Int b: Int }';
const deprecated = 'type Query { a: Int @deprecated(reason: "b") b: Int }';

let repository: GitRepository;
beforeEach(() => {
  repository = createGitRepository();
});
afterEach(() => repository.remove());

function commit(at: string, sdl: string): void {
  repository.write('s.graphql', sdl);
  repository.commit({ at });
}

const sinceOf = (coordinate = 'Query.a', of = repository.root): unknown =>
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
    repository.write('s.graphql', deprecated);
    expect(sinceOf()).toEqual({ since: null, isExact: true });
  });

  it('is a bound where the clone is shallow', () => {
    commit('2026-01-01', plain);
    commit('2026-01-05', deprecated);
    commit('2026-01-09', `${deprecated} type Other { a: Int }`);
    const clone = join(repository.root, 'clone');
    repository.git('clone', '--quiet', '--depth', '1', `file://${repository.root}`, clone);
    expect(sinceOf('Query.a', clone)).toEqual({ since: '2026-01-09', isExact: false });
  });

  it('is unknown for a file that git does not have', () => {
    expect(sinceOf()).toBeUndefined();
  });
});
