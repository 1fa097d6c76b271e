import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { createGitRepository } from '@meridian/testing';

import type { HistoryCall } from '../../src/commands/print-history.ts';
import { printHistory } from '../../src/commands/print-history.ts';

const repository = createGitRepository();
const { root } = repository;
beforeAll(() => {
  const item = 'type Query { a: Int item: Item } type Item { id: ID';
  commit('2026-01-01', 'Ann', 'graph: the first', supergraph(`${item} }`));
  commit('2026-01-02', 'Ben', 'graph: more', supergraph(`${item} size: Int }`));
  commit('2026-01-03', 'Ben', 'README: a comment', `# Nothing\n${supergraph(`${item} size: Int }`)}`);
  commit('2026-01-04', 'Ann', 'graph: broken', 'type Query {');
  commit(
    '2026-01-05',
    'Eve \u001B[31mred',
    'graph: less',
    supergraph('type Query { item: Item } type Item { id: ID size: Float }'),
  );
  commit(
    '2026-01-06',
    'Ann',
    'graph: last',
    supergraph('"The root." type Query { item(id: ID): Item } type Item { id: ID size: Float }'),
  );
});
afterAll(repository.remove);

function supergraph(sdl: string): string {
  return composeSupergraph([{ name: 'a', routingUrl: 'http://127.0.0.1/a', sdl }]).supergraphSdl ?? '';
}

function commit(at: string, author: string, message: string, text: string): void {
  repository.write('supergraph.graphql', text);
  repository.commit({ at, author, message });
}

function history(call: Partial<HistoryCall> = {}): string {
  let text = '';
  printHistory({
    coordinate: undefined,
    since: undefined,
    max: 20,
    format: 'text',
    root,
    write: (part) => {
      text += part;
    },
    ...call,
  });
  return text.replaceAll(/\b[0-9a-f]{8}\b/gu, 'COMMIT');
}

const last =
  '2026-01-06 COMMIT Ann: graph: last\n  dangerous FIELD_ARGUMENT_ADDED: Query.item(id:) is added: ID (a)\n';
const less =
  '2026-01-05 COMMIT Eve \\u001b[31mred: graph: less\n  breaking FIELD_TYPE_CHANGED: Item.size has another type: Int → Float (a)\n  breaking FIELD_REMOVED: Query.a is removed: Int (a)\n';
const more = '2026-01-02 COMMIT Ben: graph: more\n  safe FIELD_ADDED: Item.size is added: Int (a)\n';

describe('pnpm graph history', () => {
  it('prints the changes of each commit with day and author, the newest first; one that does not parse is left out of the others', () => {
    const [newest, older, broken, ...others] = history().split('\n\n');
    expect([newest, older, ...others]).toEqual([last.trimEnd(), less.trimEnd(), more]);
    expect(broken).toMatch(/^2026-01-04 COMMIT Ann: graph: broken\n {2}cannot be compared: .+ Syntax Error/u);
  });

  it.each([
    ['Item', [less.replace(/ {2}breaking FIELD_REMOVED.*\n/u, ''), more]],
    ['Item.size', [less.replace(/ {2}breaking FIELD_REMOVED.*\n/u, ''), more]],
    ['Query.a', [less.replace(/ {2}breaking FIELD_TYPE.*\n/u, '')]],
    ['Query.item', [last]],
    ['Query.item(id:)', [last]],
    ['Item.id', []],
  ])('prints the changes of %s alone', (coordinate, expected) => {
    const entries = history({ coordinate })
      .split(/\n(?=\d{4}-)/u)
      .filter((entry) => !entry.includes('cannot be compared'));
    expect(entries).toEqual(expected);
  });

  it('ends at a day, and after so many commits', () => {
    expect(history({ since: '2026-01-06' })).toBe(last);
    expect(history({ max: 1 })).toBe(last);
    expect(history({ coordinate: 'Item', since: '2026-01-06' })).toBe(
      'No commit of supergraph.graphql changed Item since 2026-01-06.\n',
    );
  });

  it('fails for an element that the graph never had, and says so of one that no commit changed', () => {
    expect(() => history({ coordinate: 'Query.nowhere' })).toThrow(
      'The graph has no Query.nowhere, and no commit changed one.',
    );
  });

  it('is JSON for programs', () => {
    expect(JSON.parse(history({ format: 'json', max: 1 }))).toEqual([
      {
        commit: expect.stringMatching(/^[0-9a-f]{40}$/u),
        day: '2026-01-06',
        author: 'Ann',
        subject: 'graph: last',
        changes: [
          {
            kind: 'FIELD_ARGUMENT_ADDED',
            level: 'dangerous',
            coordinate: 'Query.item(id:)',
            after: 'ID',
            subgraphs: ['a'],
          },
        ],
      },
    ]);
  });

  it('says where a shallow clone ends, and that a folder without history has none', () => {
    const clone = join(root, 'clone');
    repository.git('clone', '--quiet', '--depth', '1', `file://${root}`, clone);
    expect(history({ root: clone })).toBe(
      '2026-01-06 COMMIT Ann: graph: last\n  cannot be compared: the history here starts with it (git fetch --unshallow)\n',
    );
    expect(() => history({ root: tmpdir() })).toThrow('git has no history of supergraph.graphql here');
  });
});
