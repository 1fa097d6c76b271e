import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { GitRepository } from '@meridian/testing';
import { createGitRepository } from '@meridian/testing';

import { knownOperations, usageWindow } from '../../src/operations/known-operations.ts';
import type { ClientOperation } from '../../src/read/read-manifests.ts';
import { readManifests, readManifestsOfBoth } from '../../src/read/read-manifests.ts';
import { versionAt, workingTree } from '../../src/read/repository.ts';
import { defaultRules, readRules } from '../../src/rules/rules.ts';
import { recorded, usageOf, use } from '../support/usage.ts';

let repository: GitRepository;
let root: string;
beforeEach(() => {
  repository = createGitRepository();
  ({ root } = repository);
});
afterEach(() => repository.remove());

function write(path: string, content: object): void {
  repository.write(path, JSON.stringify(content));
}

function manifest(names: readonly string[], app?: object): object {
  return {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    ...(app && { app }),
    operations: names.map((name) => ({
      id: `id-of-${name}`,
      name,
      type: 'query',
      body: `query ${name} { a }`,
    })),
  };
}

const clientsOf = (operations: readonly ClientOperation[]): object =>
  operations.map(({ name, client, versions }) => [name, client, ...versions]);

function readAt(path: string, client?: string): object {
  return clientsOf(readManifests(workingTree(root), [{ path, client }]));
}

describe('Manifests of several apps', () => {
  it('are the files of a folder, each of the app that it names, or after which it is named', () => {
    write('manifests/shop.json', manifest(['Top'], { name: 'web-shop', versions: ['2.3.0', '2.4.0'] }));
    write('manifests/ios.json', manifest(['Top', 'Orders']));
    write('manifests/more/other.json', manifest(['Hidden']));
    expect(readAt('manifests')).toEqual([
      ['Top', 'ios'],
      ['Orders', 'ios'],
      ['Top', 'web-shop', '2.3.0', '2.4.0'],
    ]);
    expect(readAt('manifests/')).toEqual(readAt('manifests'));
  });

  it('are the matches of a glob, named after their folders where the files share a name', () => {
    write('clients/ios/persisted-documents.json', { a1: 'query Top { a }' });
    write('clients/web/persisted-documents.json', { b1: 'query Orders { a }' });
    expect(readAt('clients/*/persisted-documents.json')).toEqual([
      ['Top', 'ios'],
      ['Orders', 'web'],
    ]);
  });

  it('have the name that the rules give, where they name none', () => {
    write('persisted-queries.json', manifest(['Top']));
    expect(readAt('persisted-queries.json', 'storefront')).toEqual([['Top', 'storefront']]);
    expect(readAt('persisted-queries.json')).toEqual([['Top', 'persisted-queries']]);
    expect(readAt('not-there.json')).toEqual([]);
  });

  it('are read as a git ref has them, also those that are gone', () => {
    write('manifests/ios.json', manifest(['Top']));
    write('manifests/web.json', manifest(['Orders']));
    repository.commit({ at: 0 });
    rmSync(join(root, 'manifests/web.json'));
    const base = versionAt(root, 'HEAD');
    for (const path of ['manifests', 'manifests/*.json']) {
      expect(clientsOf(readManifests(base, [{ path, client: undefined }]))).toEqual([
        ['Top', 'ios'],
        ['Orders', 'web'],
      ]);
      expect(readAt(path)).toEqual([['Top', 'ios']]);
    }
  });

  it('are rejected where the app is not one, by the name of the file', () => {
    write('manifests/ios.json', manifest(['Top'], { versions: ['1'] }));
    expect(() => readAt('manifests')).toThrow(
      'Cannot read the manifest manifests/ios.json: its app is not {"name": "<name>", "versions": ["<version>"]}',
    );
  });

  it('need no name in the rules', () => {
    expect(readRules('manifests: [{ path: manifests }]').manifests).toEqual([
      { key: 'manifests[0].path', path: 'manifests', client: undefined },
    ]);
  });

  it('are each read once, by the first path that names the file, however it is spelled', () => {
    write('manifests/shop.json', manifest(['Top']));
    write('manifests/ios.json', manifest(['Orders']));
    repository.commit({ at: 0 });
    const paths = [
      { path: './manifests/shop.json', client: 'web' },
      { path: './manifests', client: undefined },
      { path: 'manifests/*.json', client: 'all' },
    ];
    for (const version of [workingTree(root), versionAt(root, 'HEAD')]) {
      expect(clientsOf(readManifests(version, paths))).toEqual([
        ['Top', 'web'],
        ['Orders', 'ios'],
      ]);
    }
  });
});

describe('Manifests of both versions', () => {
  /** Writes schema-check.yaml with the paths and, where one is given, the client of the first of them. */
  function writeRules(paths: readonly string[], client?: string): void {
    const manifests = paths.map((path, index) => (client && index === 0 ? { path, client } : { path }));
    write('schema-check.yaml', { manifests });
  }

  function readBoth(): { before: object; after: object } {
    const head = workingTree(root);
    const { manifests } = readRules(head.read('schema-check.yaml'));
    const { listedBefore, listedAfter } = readManifestsOfBoth(versionAt(root, 'HEAD'), head, manifests);
    return { before: clientsOf(listedBefore), after: clientsOf(listedAfter) };
  }

  it('include the manifests of the base where the head names another path, moved or not', () => {
    write('clients/shop.json', manifest(['Top', 'Orders']));
    writeRules(['clients']);
    repository.commit({ at: 0 });
    write('manifests/shop.json', manifest(['Top']));
    writeRules(['manifests']);
    const both = {
      before: [
        ['Top', 'shop'],
        ['Orders', 'shop'],
      ],
      after: [['Top', 'shop']],
    };
    expect(readBoth()).toEqual(both);
    rmSync(join(root, 'clients'), { recursive: true });
    expect(readBoth()).toEqual(both);
  });

  it('include the default one of the base, which had no rules or broken ones', () => {
    write('persisted-queries.json', manifest(['Top']));
    repository.commit({ at: 0 });
    renameSync(join(root, 'persisted-queries.json'), join(root, 'shop.json'));
    writeRules(['shop.json']);
    expect(readBoth()).toEqual({ before: [['Top', 'persisted-queries']], after: [['Top', 'shop']] });
    write('schema-check.yaml', { manifestz: [] });
    repository.commit({ at: 0 });
    writeRules(['shop.json'], 'shop');
    expect(readBoth()).toEqual({ before: [['Top', 'shop']], after: [['Top', 'shop']] });
  });

  it('have the name that the head gives a client', () => {
    write('persisted-queries.json', manifest(['Top']));
    writeRules(['persisted-queries.json'], 'shop');
    repository.commit({ at: 0 });
    writeRules(['persisted-queries.json'], 'storefront');
    expect(readBoth()).toEqual({ before: [['Top', 'storefront']], after: [['Top', 'storefront']] });
  });

  it('are rejected where paths name no file of either version, such as one with a typo', () => {
    write('persisted-queries.json', manifest(['Top']));
    write('docs/read.me', {});
    writeRules(['persisted-queries.json']);
    repository.commit({ at: 0 });
    writeRules(['persisted-querys.json', 'persisted-queries.json', 'docs', 'clients/*.json']);
    expect(readBoth).toThrow(
      [
        'schema-check.yaml: manifests[0].path persisted-querys.json names no file',
        'schema-check.yaml: manifests[2].path docs names no file',
        'schema-check.yaml: manifests[3].path clients/*.json names no file',
      ].join('\n'),
    );
  });

  it('may be on one side only, and need not be there where no path is given', () => {
    write('old.json', manifest(['Top']));
    repository.commit({ at: 0 });
    rmSync(join(root, 'old.json'));
    expect(readBoth()).toEqual({ before: [], after: [] });
    write('new.json', manifest(['Orders']));
    writeRules(['old.json', 'new.json']);
    expect(readBoth()).toEqual({ before: [['Top', 'old']], after: [['Orders', 'new']] });
  });
});

describe('docs/client-apps.md', () => {
  it('adds a folder to the default manifest, whose clients go on', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../../../docs/client-apps.md'), 'utf8');
    const snippets = Array.from(
      text.matchAll(/```yaml\n(# [^\n]*\n.*?)```/gsu),
      ([, snippet = '']) => snippet,
    );
    expect(snippets).toHaveLength(2);
    expect(parse(snippets[0] ?? '')).toMatchObject({
      persisted_queries: { local_manifests: ['persisted-queries.json', 'manifests'] },
    });
    expect(readRules(snippets[1]).manifests).toMatchObject([
      { path: 'persisted-queries.json', client: 'storefront' },
      { path: 'manifests', client: undefined },
    ]);
  });
});

describe('Versions in the field', () => {
  const today = new Date('2026-01-31T12:00:00Z');

  function clientsOfTop(uses: readonly { client: string; version: string }[]): object {
    write('manifests/shop.json', manifest(['Top'], { name: 'shop', versions: ['2', '3'] }));
    write('manifests/ios.json', manifest(['Top']));
    const listed = readManifests(workingTree(root), [{ path: 'manifests', client: undefined }]);
    const usage = usageOf([
      recorded(
        'Top',
        'query Top { a }',
        uses.map((one) => use({ ...one, requests: 5 })),
      ),
    ]);
    const [operation] = knownOperations({
      listedBefore: listed,
      listedAfter: listed,
      usage,
      window: usageWindow(usage, 30, today),
      ignore: defaultRules.ignore,
    }).values();
    return operation?.clients.map(({ name, version, requests }) => [name, version, requests]) ?? [];
  }

  it('are clients of each operation, whether usage has seen them or not', () => {
    expect(clientsOfTop([])).toEqual([
      ['ios', undefined, undefined],
      ['shop', '2', undefined],
      ['shop', '3', undefined],
    ]);
    expect(
      clientsOfTop([
        { client: 'shop', version: '3' },
        { client: 'ios', version: '9' },
      ]),
    ).toEqual([
      ['shop', '3', 5],
      ['ios', '9', 5],
      ['shop', '2', undefined],
    ]);
  });
});
