import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createClientOwners } from '../../src/operations/client-uses.ts';
import { readCodeOwners } from '../../src/read/code-owners.ts';
import { readManifests } from '../../src/read/read-manifests.ts';
import { workingTree } from '../../src/read/repository.ts';
import { githubReport } from '../../src/report/github.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { textReport } from '../../src/report/text.ts';
import { readRules } from '../../src/rules/rules.ts';
import type { Definitions } from '../support/small-graph.ts';
import { checkSmall, listedAs, plainFigures, smallGraph } from '../support/small-graph.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'client-owners-'));
  for (const path of ['shop.json', 'manifests/ios.json', 'manifests/tv.json']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify({ [path]: `query Op { a }` }));
  }
});
afterAll(() => rmSync(root, { recursive: true }));

/** The owners of clients by a schema-check.yaml. */
function ownersBy(rulesText: string, codeOwners: string): (client: string) => readonly string[] {
  const rules = readRules(rulesText);
  const listed = readManifests(workingTree(root), rules.manifests, readCodeOwners(codeOwners));
  return createClientOwners(rules.clients, listed);
}

const manifests = `
manifests:
  - { path: shop.json, client: shop, owner: '@team-shop @acme/web.team' }
  - { path: manifests }
`;

describe('The owners of a client', () => {
  it('are named beside it in schema-check.yaml, and else own its manifest in CODEOWNERS', () => {
    const ownersOf = ownersBy(manifests, '* @everybody\n/manifests/ios.json @team-ios\n/manifests/tv.json\n');
    expect(['shop', 'ios', 'tv', 'partner'].map(ownersOf)).toEqual([
      ['@team-shop', '@acme/web.team'],
      ['@team-ios'],
      [],
      [],
    ]);
  });

  it('may be named for a client without a manifest, and for one of a folder', () => {
    const clients = 'clients: [{ client: partner, owner: "@partners" }, { client: ios, owner: "@mobile" }]';
    const ownersOf = ownersBy(`${manifests}${clients}`, '* @everybody');
    expect(['partner', 'ios', 'tv'].map(ownersOf)).toEqual([['@partners'], ['@mobile'], ['@everybody']]);
  });

  it.each([
    ['manifests: [{ path: a, owner: team }]', 'manifests[0].owner takes owners as CODEOWNERS has them'],
    ['manifests: [{ path: a, owner: "" }]', 'manifests[0].owner takes owners'],
    ['manifests: [{ path: a, owner: "@a <b>" }]', 'manifests[0].owner takes owners'],
    ['clients: [{ client: a }]', 'clients[0].owner takes owners'],
    ['clients: [{ owner: "@a" }]', 'clients[0].client takes a text'],
    ['clients: { a: b }', 'clients takes a list'],
  ])('cannot be read from %s', (text, message) => {
    expect(() => readRules(text)).toThrow(`Cannot read schema-check.yaml: ${message}`);
  });
});

describe('The report of a check', () => {
  const before: Definitions = {
    one: 'type Query { a: Int b: Int list: [Item] @listSize(assumedSize: 2) } type Item { id: ID }',
  };
  const operations = [
    listedAs('One', 'query One { a }', { client: 'ios', owners: ['@team-ios'] }),
    listedAs('Two', 'query Two { a b }', { client: 'ios', owners: ['@team-ios'] }),
    listedAs('Many', 'query Many { list { id } }', {
      client: '@everybody',
      owners: ['@acme/tv', 'tv@example.com'],
    }),
  ];

  async function reportOf(sdl: string) {
    return checkSmall(
      smallGraph(before),
      smallGraph({ one: sdl }),
      {},
      {
        listedBefore: operations,
        listedAfter: operations,
        // As the gateway does, for the one graph whose lists are longer.
        readFigures: (supergraph) => () => ({
          ...plainFigures,
          cost: supergraph.sdl.includes('assumedSize: 9') ? 9 : 2,
        }),
      },
    );
  }

  it('mentions each owner of a client that a change hurts, once', async () => {
    const report = await reportOf(before['one']?.replace('a: Int b: Int', 'c: Int') ?? '');
    const mentions = '@team-ios, please look: ios (One, Two)';
    expect(markdownReport(report)).toContain(`- ${mentions}\n`);
    expect(markdownReport(report).match(/@team-ios/gu)).toHaveLength(1);
    expect(githubReport(report)).toContain(`::notice title=Owners of clients::${mentions}\n`);
    expect(textReport(report)).toContain('Owners of clients to ask\n  @team-ios: ios (One, Two)\n');
  });

  it('mentions the owners of a client whose operation becomes costlier, and no other name', async () => {
    const markdown = markdownReport(
      await reportOf(before['one']?.replace('assumedSize: 2', 'assumedSize: 9') ?? ''),
    );
    expect(markdown).toContain('- @acme/tv, please look: @\u200Beverybody (Many)\n');
    expect(markdown).toContain('- tv@\u200Bexample.com, please look');
    expect(markdown).not.toMatch(/@team-ios|@everybody/u);
  });

  it('mentions no owner of a client whose operation only gets another plan, or is guarded less', async () => {
    const report = await reportOf(before['one']?.replace('a: Int b: Int', 'c: Int') ?? '');
    for (const level of ['safe', 'security', 'lint'] as const) {
      const changes = report.changes.map((change) => Object.assign({}, change, { level }));
      expect(markdownReport({ ...report, changes })).not.toContain('please look');
    }
  });

  it('mentions no owner where no client notices the change', async () => {
    const report = await reportOf(before['one']?.replace('a: Int', 'a: Int c: Int') ?? '');
    expect(report.changes).not.toEqual([]);
    for (const text of [markdownReport(report), githubReport(report), textReport(report)]) {
      expect(text).not.toMatch(/@team|@acme|Owners of clients/u);
    }
  });
});
