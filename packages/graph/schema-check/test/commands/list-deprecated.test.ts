import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { createGitRepository } from '@meridian/testing';

import { listDeprecated } from '../../src/commands/list-deprecated.ts';
import type { RecordedUse } from '../../src/read/usage-file.ts';
import { recorded, usageOf, use } from '../support/usage.ts';

const dayMs = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const schema = (old: string): string => `type Query { new: Int old: Int${old} gone(by: Int${old}): Kind }
  enum Kind { A B @deprecated(reason: "Never seen.") }`;

const repository = createGitRepository();
const { root, write } = repository;
beforeAll(() => {
  write(
    'supergraph.yaml',
    'federation_version: =2.14.4\nsubgraphs: { a: { routing_url: http://127.0.0.1/a, schema: { file: a.graphql } } }\n',
  );
  write(
    'schema-check.yaml',
    'deprecation_days: 30\nmanifests: [{ path: ios.json, owner: "@team-ios" }, { path: web.json }]\n',
  );
  write('ios.json', JSON.stringify({ 1: 'query Old { old }', 2: 'query By($by: Int) { gone(by: $by) }' }));
  write('web.json', JSON.stringify({ 3: 'query New { new }' }));
  writeSchema(schema(''));
  repository.commit({ at: 50 });
  writeSchema(schema(' @deprecated(reason: "Use new.")'));
  repository.commit({ at: 20 });
});
afterAll(repository.remove);

function writeSchema(sdl: string): void {
  write('a.graphql', sdl);
  const { supergraphSdl = '' } = composeSupergraph([{ name: 'a', routingUrl: 'http://127.0.0.1/a', sdl }]);
  write('supergraph.graphql', supergraphSdl);
}

/** Uses of `old` by a client whose operation no manifest lists. */
function list(...uses: readonly Partial<RecordedUse>[]): string {
  return listDeprecated({
    root,
    format: 'text',
    usage: usageOf([{ ...recorded('Partner', '{ old }', uses.map(useOfPartner)), fields: ['Query.old'] }], {
      exportedAt: new Date().toISOString(),
      days: 60,
    }),
  });
}

function useOfPartner(parts: Partial<RecordedUse>): RecordedUse {
  return use({ client: 'partner', version: '7', requests: 1000, lastDay: dayAgo(1), ...parts });
}

describe('pnpm graph deprecated', () => {
  it('lists what is deprecated, the one that is due first above the others, with its clients', () => {
    const lines = listDeprecated({ root, format: 'text', usage: undefined }).split('\n');
    const due = `since ${dayAgo(20)}  ${dayAgo(-10)}, in 10 days  unknown         `;
    expect(lines).toEqual([
      'element          deprecated        due                     requests a day  clients           reason',
      `Kind.B           since ${dayAgo(50)}  now                     unknown         ios of @team-ios  Never seen.`,
      `Query.gone(by:)  ${due}ios of @team-ios  Use new.`,
      `Query.old        ${due}ios of @team-ios  Use new.`,
      '',
      'Seen: the manifests. Operations that only usage knows may be missing: no usage is at hand.',
      '',
    ]);
  });

  it('counts the requests of a day by usage, of the window alone', () => {
    const daily = { [dayAgo(0)]: 90, [dayAgo(29)]: 60, [dayAgo(30)]: 10_000 };
    const [, ...rows] = list({ daily }, { version: '8', daily: { [dayAgo(2)]: 3 } }).split('\n');
    expect(rows[2]).toMatch(/^Query\.old .* 5\.1 +ios of @team-ios; partner 7 8 +Use new\.$/u);
    expect(rows[1]).toMatch(/^Query\.gone\(by:\) .* 0 +ios of @team-ios +Use new\.$/u);
  });

  it('does not know the requests of a day that an earlier release recorded', () => {
    expect(list({}).split('\n')[3]).toMatch(/^Query\.old .* unknown +ios of @team-ios; partner 7 /u);
  });

  it('is JSON for programs', () => {
    const retirements = JSON.parse(listDeprecated({ root, format: 'json', usage: undefined }));
    expect(retirements[2]).toMatchObject({
      coordinate: 'Query.old',
      since: { since: dayAgo(20), isExact: true },
      daysLeft: 10,
      operations: ['Old'],
      clients: [{ name: 'ios', versions: [], owners: ['@team-ios'] }],
    });
  });
});
