import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { parse } from 'yaml';

import type { Bundle } from './bundle.ts';
import { entryName } from './bundle.ts';
import type { Publication } from './publications.ts';
import { releaseConfig, version } from './release-config.ts';

/** The name of a publication on npm. */
export function publishedName({ name }: Publication): string {
  const published = releaseConfig.names[name];
  if (published === undefined) {
    throw new Error(`release.json has no name for ${name}`);
  }
  return published;
}

/**
 * Makes the package.json of a published package: it depends on what its modules and types import.
 *
 * @param root of the workspace
 */
export function publishedManifest(publication: Publication, { imported }: Bundle, root: string): object {
  const { folder, exports, bin, assets, documents, optionalPeers, leavesOutside } = publication;
  const isProgram = leavesOutside !== undefined;
  const { description, keywords }: { description: string; keywords?: readonly string[] } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const ranges = Object.entries(rangesOf(imported, root));
  const isPeer = (name: string): boolean =>
    optionalPeers.includes(name) || (!isProgram && name in releaseConfig.peers);
  return {
    name: publishedName(publication),
    version,
    description,
    keywords,
    license: 'MIT',
    repository: repositoryOf(folder, process.env),
    type: 'module',
    engines: releaseConfig.engines,
    bin: section(Object.keys(bin).map((name) => [name, `dist/${name}.js`])),
    exports: {
      ...Object.fromEntries(Object.keys(exports).map((subpath) => [subpath, exported(subpath)])),
      './package.json': './package.json',
    },
    files: ['dist', ...assets, ...(documents.length > 0 ? ['docs'] : [])],
    sideEffects: isProgram,
    dependencies: section(ranges.filter(([name]) => !isPeer(name))),
    peerDependencies: section(
      ranges.flatMap(([name, range]) => (isPeer(name) ? [[name, releaseConfig.peers[name] ?? range]] : [])),
    ),
    peerDependenciesMeta: section(
      optionalPeers.filter((name) => imported.has(name)).map((name) => [name, { optional: true }]),
    ),
    publishConfig: { access: 'public' },
  };
}

/** An object of the manifest; undefined, and so left out, where it would be empty. */
function section<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function exported(subpath: string): object {
  const file = `./dist/${entryName(subpath)}`;
  return { types: `${file}.d.ts`, default: `${file}.js` };
}

/** The range of each package and of its types, in the order of their names. */
function rangesOf(imported: ReadonlySet<string>, root: string): Readonly<Record<string, string>> {
  const versions = readWorkspaceVersions(root);
  const published = new Set(Object.values(releaseConfig.names));
  const needed = [...imported].flatMap((name) => [name, `@types/${name}`]);
  return Object.fromEntries(
    needed.toSorted().flatMap((name) => {
      if (published.has(name)) {
        return [[name, version]];
      }
      const found = versions.get(name);
      return found === undefined ? [] : [[name, releaseConfig.exact.includes(name) ? found : `^${found}`]];
    }),
  );
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Reads the version that the workspace has of each package from npm.
 *
 * @param root of the workspace
 */
function readWorkspaceVersions(root: string): ReadonlyMap<string, string> {
  const { catalog }: { catalog: Record<string, string> } = parse(
    readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'),
  );
  const named = globSync('{apps,packages/*}/*/package.json', { cwd: root }).flatMap((file) => {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return Object.entries({ ...manifest.devDependencies, ...manifest.dependencies });
  });
  return new Map([
    ...named.filter(([, range]) => /^\d/u.test(range)),
    // Last: the version that most packages have.
    ...Object.entries(catalog),
  ]);
}

/** Where the sources are, in a build by GitHub: provenance is checked against it. */
function repositoryOf(directory: string, env: NodeJS.ProcessEnv): object | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  return server === undefined || repository === undefined
    ? undefined
    : { type: 'git', url: `git+${server}/${repository}.git`, directory };
}
