import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { commitsSinceRelease, releaseNotes, versionFaults } from '../../release/prepare-release.ts';
import { publications } from '../../release/publications.ts';
import { publishedReadme } from '../../release/build-package.ts';
import { releaseConfig, version } from '../../release/release-config.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('The notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Later.\n\n## [1.2.0] - 2026-11-22\n\n- Now.\n\n## [1.1.0]\n\n- Before.\n';

  it('are the section of its version', () => {
    expect(releaseNotes(changelog, '1.2.0')).toBe('- Now.');
    expect(releaseNotes(changelog, 'Unreleased')).toBe('### Added\n\n- Later.');
  });

  it('are absent for a version that the changelog does not have', () => {
    expect(releaseNotes(changelog, '1.2')).toBeUndefined();
  });
});

describe('The commits of a release', () => {
  let folder: string;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const land = (subject: string): string => git('commit', '--quiet', '--allow-empty', '--message', subject);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-commits-'));
    git('init', '--quiet');
    land('gateway: the first');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are those since the last tag, by their area', () => {
    git('tag', 'v1.9.0');
    land('gateway: the second');
    git('tag', 'v1.10.0');
    ['orders: pages', 'gateway: redirects', 'A fix', 'orders: fees'].forEach(land);
    const expected =
      '### Commits since v1.10.0\n\n- **gateway**\n  - redirects\n- **orders**\n  - pages\n  - fees\n- **other**\n  - A fix';
    expect(commitsSinceRelease(folder, undefined)).toBe(expected);
    git('tag', 'v1.11.0');
    expect(commitsSinceRelease(folder, 'v1.11.0')).toBe(expected);
  });

  it('are left out of the first release', () => {
    git('tag', 'v1.0.0');
    expect(commitsSinceRelease(folder, 'v1.0.0')).toBeUndefined();
  });
});

describe('The version', () => {
  it('is the same in every package and chart', () => {
    expect(versionFaults(root, version)).toEqual([]);
  });

  it('is compared with the tag, with packages and with both versions of a chart', () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-versions-'));
    mkdirSync(join(folder, 'packages/services/etag'), { recursive: true });
    mkdirSync(join(folder, 'deploy/helm/gateway'), { recursive: true });
    writeFileSync(join(folder, 'packages/services/etag/package.json'), '{ "version": "1.1.0" }');
    writeFileSync(join(folder, 'deploy/helm/gateway/Chart.yaml'), 'version: 1.2.0\nappVersion: 1.0.0\n');
    expect(versionFaults(folder, '1.2.0', 'v1.3.0')).toEqual([
      'the tag is v1.3.0, and the version 1.2.0',
      'deploy/helm/gateway/Chart.yaml has the version 1.0.0, and package.json 1.2.0',
      'packages/services/etag/package.json has the version 1.1.0, and package.json 1.2.0',
    ]);
    rmSync(folder, { recursive: true });
  });
});

describe('release.json', () => {
  it('names each published package, and no other', () => {
    expect(Object.keys(releaseConfig.names).toSorted()).toEqual(
      publications.map(({ name }) => name).toSorted(),
    );
  });

  it('asks for the Node that the program checks for', () => {
    const program = readFileSync(join(root, 'apps/gateway/src/program.ts'), 'utf8');
    const [, needed] = /needs Node ([\d.]+) or later/u.exec(program) ?? [];
    expect(releaseConfig.engines).toEqual({ node: `>=${needed}.0` });
  });
});

describe('A README for npm', () => {
  const { '@meridian/etag': etag, '@meridian/subgraph': subgraph } = releaseConfig.names;

  it('has the published names, and no links into the repository', () => {
    const text = 'See [the guide](../docs/guide.md), [npm](https://example.com) and `@meridian/etag`.';
    expect(publishedReadme(text)).toBe(`See the guide, [npm](https://example.com) and \`${etag}\`.`);
  });

  it('has the subpath of a package that is part of another', () => {
    expect(publishedReadme("from '@meridian/http'")).toBe(`from '${subgraph}/http'`);
  });

  it('has no section about this repository', () => {
    const text = '# A\n\n## In this repository\n\nFiles.\n\n## B\n\n## In this repository\n\nFiles.\n';
    expect(publishedReadme(text)).toBe('# A\n\n## B\n\n');
  });
});
