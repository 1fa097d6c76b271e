import { hash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findFreePort } from '@meridian/processes';

import type { ForeignServer } from './foreign-server.ts';
import { startForeignServer } from './foreign-server.ts';

/** Debian's docker-registry (CNCF Distribution) on loopback, for tests that need a real registry. */
export interface DockerRegistry extends ForeignServer {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Pushes an artifact of one text, as `oras push` does, and returns the digest of its manifest. */
  push(name: string, tag: string, text: string): Promise<string>;
}

/** Asks clients for a token, which is issued elsewhere. */
export interface TokenAuthorization {
  /** The URL that issues tokens. */
  readonly realm: string;
  readonly service: string;
  readonly issuer: string;
  /** The certificate of the issuer's key, in PEM. */
  readonly certificate: string;
}

export interface DockerRegistryOptions {
  /** Lines of an htpasswd file, with bcrypt's hashes. Default: anybody may read and write. */
  readonly htpasswd?: string;
  readonly token?: TokenAuthorization;
  /** The header field of pushes. */
  readonly authorization?: (scope: string) => string;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
/** The empty configuration of an artifact: OCI Image Specification 1.1, "Guidance for an Empty Descriptor". */
const emptyType = 'application/vnd.oci.empty.v1+json';

export async function startDockerRegistry(options: DockerRegistryOptions = {}): Promise<DockerRegistry> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-registry-'));
  const host = `127.0.0.1:${await findFreePort()}`;
  const file = join(directory, 'config.yml');
  // YAML takes JSON.
  await writeFile(file, JSON.stringify(await configuration(directory, host, options)));
  const server = await startForeignServer({
    command: 'docker-registry',
    args: ['serve', file],
    url: `http://${host}/v2/`,
    directory,
  });

  const send = async (
    method: string,
    path: string,
    body: string | undefined,
    type: string,
  ): Promise<Response> => {
    const scope = `repository:${path.split('/').slice(2, 4).join('/')}:pull,push`;
    const response = await fetch(new URL(path, `http://${host}`), {
      method,
      headers: {
        'Content-Type': type,
        ...(options.authorization !== undefined && { Authorization: options.authorization(scope) }),
      },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    }
    return response;
  };
  const pushBlob = async (name: string, mediaType: string, content: string): Promise<object> => {
    const digest = digestOf(content);
    const { headers } = await send('POST', `/v2/${name}/blobs/uploads/`, undefined, 'text/plain');
    const upload = new URL(headers.get('location') ?? '');
    upload.searchParams.set('digest', digest);
    await send('PUT', upload.pathname + upload.search, content, 'application/octet-stream');
    return { mediaType, digest, size: Buffer.byteLength(content) };
  };
  return {
    ...server,
    host,
    async push(name, tag, text) {
      const manifest = JSON.stringify({
        schemaVersion: 2,
        mediaType: manifestType,
        artifactType: 'application/apollo.schema',
        config: await pushBlob(name, emptyType, '{}'),
        layers: [await pushBlob(name, 'application/apollo.schema', text)],
      });
      await send('PUT', `/v2/${name}/manifests/${tag}`, manifest, manifestType);
      return digestOf(manifest);
    },
  };
}

async function configuration(
  directory: string,
  host: string,
  { htpasswd, token }: DockerRegistryOptions,
): Promise<object> {
  const passwords = join(directory, 'htpasswd');
  const certificate = join(directory, 'certificate.pem');
  await writeFile(passwords, htpasswd ?? '');
  await writeFile(certificate, token?.certificate ?? '');
  const auth = {
    ...(htpasswd !== undefined && { htpasswd: { realm: 'registry', path: passwords } }),
    ...(token !== undefined && {
      token: {
        realm: token.realm,
        service: token.service,
        issuer: token.issuer,
        rootcertbundle: certificate,
      },
    }),
  };
  return {
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(directory, 'storage') } },
    http: { addr: host, secret: 'of a test' },
    ...(Object.keys(auth).length > 0 && { auth }),
  };
}

const digestOf = (content: string): string => `sha256:${hash('sha256', content)}`;
