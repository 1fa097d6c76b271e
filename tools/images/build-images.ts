import { execFile } from 'node:child_process';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { readApps } from '@meridian/local-stack/apps';

import { buildah } from './tools.ts';

const run = promisify(execFile);

const workspace = '.data/images';
/** In the place of `node:24.21.0-slim`, which no registry is here to have. */
const nodeImage = 'localhost/meridian/node';

export const imageOf = (app: string): string => `localhost/meridian/${app}`;

/** Builds the image of each app by docker/Dockerfile, with buildah, on Debian's packages and Node's. */
export async function buildImages(): Promise<readonly string[]> {
  await mkdir(workspace, { recursive: true });
  await buildNodeImage();
  const { version }: { readonly version: string } = JSON.parse(await readFile('package.json', 'utf8'));
  const secret = await writeNpmSettings();
  const apps = readApps('.').map(({ name }) => name);
  // One after another: the first fetches what the others have in common.
  for (const app of apps) {
    const startedAt = performance.now();
    await buildah(
      'bud',
      '--quiet',
      '--layers',
      // An OCI image has no place for a health check.
      '--format=docker',
      '--file=docker/Dockerfile',
      '--ignorefile=docker/Dockerfile.dockerignore',
      `--build-arg=NODE_IMAGE=${nodeImage}`,
      `--build-arg=APP=${app}`,
      `--build-arg=VERSION=${version}`,
      `--secret=id=npmrc,src=${secret}`,
      '--volume=/etc/ssl/certs:/etc/ssl/certs:ro',
      `--tag=${imageOf(app)}`,
      '.',
    );
    console.log(`${imageOf(app)}  ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  return apps;
}

/** The registry that this machine installs from, and the authorities that it trusts; nothing secret. */
async function writeNpmSettings(): Promise<string> {
  const path = join(workspace, 'npmrc');
  const { stdout } = await run('npm', ['config', 'get', 'registry']);
  await writeFile(path, `registry=${stdout.trim()}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`);
  return path;
}

/** Makes the base unless it is there: Debian's essential packages, the Node that runs this, and pnpm. */
async function buildNodeImage(): Promise<void> {
  if ((await buildah('images', '--quiet', '--filter', `reference=${nodeImage}`)) !== '') {
    return;
  }
  const root = join(workspace, 'debian.tar');
  const withoutDocuments = ['doc', 'info', 'locale', 'man'].map(
    (folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
  );
  await run('mmdebstrap', [
    '--quiet',
    '--variant=essential',
    '--include=libstdc++6,ca-certificates',
    ...withoutDocuments,
    await debianRelease(),
    root,
  ]);
  const { packageManager = '' }: { readonly packageManager?: string } = JSON.parse(
    await readFile('package.json', 'utf8'),
  );
  const pnpm = join(workspace, 'pnpm');
  await run('npm', ['install', '--silent', '--global', '--prefix', pnpm, packageManager]);
  const container = await buildah('from', 'scratch');
  await buildah('add', '--quiet', container, root, '/');
  await buildah('copy', '--quiet', container, await realpath(process.execPath), '/usr/local/bin/node');
  await buildah('copy', '--quiet', container, pnpm, '/usr/local');
  await buildah('commit', '--quiet', '--rm', container, nodeImage);
  await rm(root);
}

async function debianRelease(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8');
  return /^VERSION_CODENAME=(?<name>\w+)$/mu.exec(release)?.groups?.['name'] ?? 'stable';
}
