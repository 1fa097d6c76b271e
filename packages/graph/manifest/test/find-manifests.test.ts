import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ManifestError, findManifests, readManifest } from '@meridian/manifest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-manifest-'));
  for (const file of [
    'b.json',
    'a.json',
    'notes.txt',
    '.hidden.json',
    'web/m.json',
    'ios/m.json',
    '[x].json',
  ]) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '{"a":"{ time }"}');
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

function found(...paths: string[]): string[] {
  return findManifests(paths.map((path) => join(folder, path))).map((path) => path.slice(folder.length + 1));
}

describe('A path of manifests', () => {
  it.each([
    ['is a file', ['b.json'], ['b.json']],
    ['is a folder: its *.json in the order of their names', ['.'], ['[x].json', 'a.json', 'b.json']],
    ['is a glob: the files that it matches', ['*/m.json'], ['ios/m.json', 'web/m.json']],
    [
      'may name several kinds, each file once',
      ['web/m.json', '{ios,web}/*.json'],
      ['web/m.json', 'ios/m.json'],
    ],
    ['is the file of that name, also when it looks like a glob', ['[x].json'], ['[x].json']],
    ['is kept when nothing exists there', ['none.json', 'x*.json'], ['none.json', 'x*.json']],
  ])('%s', (_case, paths, files) => {
    expect(found(...paths)).toEqual(files);
  });

  it('is kept when it cannot be examined, beside what can be', () => {
    symlinkSync('loop.json', join(folder, 'ios/loop.json'));
    expect(found('ios', 'ios/loop.json/m.json', 'ios/loop.json/*[x]')).toEqual([
      'ios/loop.json',
      'ios/m.json',
      'ios/loop.json/m.json',
      'ios/loop.json/*[x]',
    ]);
    expect(() => readManifest(join(folder, 'ios/loop.json'))).toThrow(ManifestError);
  });

  it('may be a folder that Kubernetes mounts, whose files are links into a hidden one', () => {
    mkdirSync(join(folder, 'mounted/..data'), { recursive: true });
    writeFileSync(join(folder, 'mounted/..data/shop.json'), '{}');
    symlinkSync('..data/shop.json', join(folder, 'mounted/shop.json'));
    expect(found('mounted')).toEqual(['mounted/shop.json']);
  });

  it.each([
    ['empty', 'the folder has no manifest in it (*.json)'],
    ['none.json', 'the file is not there or not readable (ENOENT)'],
  ])('that leads to nothing fails when it is read: %s', (name, fault) => {
    mkdirSync(join(folder, 'empty'));
    const [path = ''] = findManifests([join(folder, name)]);
    expect(() => readManifest(path)).toThrow(new ManifestError(path, fault));
  });
});
