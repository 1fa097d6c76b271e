import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A registry of npm packages on this machine. */
export interface Registry {
  readonly url: string;
  close(): void;
}

/** A version of a package: what its package.json says, and its files as a tarball. */
interface Version {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly tarball: () => Promise<Uint8Array>;
  /** Hashes of the tarball: npm's registry has both, and Yarn 1 does not install a package without the first. */
  readonly dist?: { readonly shasum: string; readonly integrity: string };
}

const execute = promisify(execFile);

/**
 * Starts a registry of these tarballs. Every other package is what the workspace has installed of it, so that an
 * installation takes as long as npm itself does; or, with `upstream`, what another registry has.
 *
 * @param root of the workspace
 */
export async function startRegistry(
  tarballs: readonly string[],
  { root, upstream }: { readonly root: string; readonly upstream?: string | undefined },
): Promise<Registry> {
  const own = await Promise.all(tarballs.map(readTarball));
  const installed =
    upstream !== undefined
      ? []
      : globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd: root });
  const versionsOf = (name: string): readonly Version[] => [
    ...own.filter(({ manifest }) => manifest.name === name),
    ...installed
      .filter((file) => file.endsWith(`/node_modules/${name}/package.json`))
      .map((file) => readInstalled(join(root, file))),
  ];
  const server = createServer((request, response) => {
    respond(request, response, { versionsOf, upstream }).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Responds to `/<name>` with the package's versions, and `/<name>/<version>.tgz` with the files of one. */
async function respond(
  { url = '', headers: { host = '' } }: IncomingMessage,
  response: ServerResponse,
  {
    versionsOf,
    upstream,
  }: { versionsOf: (name: string) => readonly Version[]; upstream: string | undefined },
): Promise<void> {
  const [, name = '', wanted] =
    /^\/((?:@[^/]+\/)?[^/]+)(?:\/(.+)\.tgz)?$/u.exec(decodeURIComponent(url)) ?? [];
  const versions = versionsOf(name);
  const found = versions.find(({ manifest }) => manifest.version === wanted);
  if (found !== undefined) {
    response.end(await found.tarball());
    return;
  }
  const newest = versions.at(-1)?.manifest.version;
  if (newest === undefined) {
    const [status, headers] =
      upstream === undefined ? [404, {}] : [302, { Location: new URL(url, upstream).href }];
    response.writeHead(status, headers).end('{}');
    return;
  }
  const described = versions.map(({ manifest, dist }) => [
    manifest.version,
    { ...manifest, dist: { ...dist, tarball: `http://${host}/${name}/${manifest.version}.tgz` } },
  ]);
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ name, 'dist-tags': { latest: newest }, versions: Object.fromEntries(described) }));
}

async function readTarball(file: string): Promise<Version> {
  const { stdout } = await execute('tar', ['-xOzf', file, 'package/package.json']);
  const bytes = readFileSync(file);
  return {
    manifest: JSON.parse(stdout),
    tarball: () => Promise.resolve(bytes),
    dist: { shasum: hash('sha1', bytes), integrity: `sha512-${hash('sha512', bytes, 'base64')}` },
  };
}

function readInstalled(file: string): Version {
  const folder = dirname(file);
  return {
    manifest: JSON.parse(readFileSync(file, 'utf8')),
    async tarball() {
      // pnpm links files of the same content, and npm leaves links out.
      const args = ['-czf', '-', '--hard-dereference', '-C', dirname(folder), basename(folder)];
      const { stdout } = await execute('tar', args, { encoding: 'buffer', maxBuffer: 100_000_000 });
      return stdout;
    },
  };
}
