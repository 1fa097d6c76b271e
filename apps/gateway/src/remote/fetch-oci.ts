import { hash } from 'node:crypto';

import type { RemoteAccess } from '../config/remote-files.ts';
import type { FetchText, Send } from './fetch-text.ts';
import { readBytes, isLoopback } from './fetch-text.ts';

/** The layer that holds the text, where an artifact has several. Apollo's schema artifacts name theirs so. */
const schemaLayer = 'application/apollo.schema';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

interface Layer {
  readonly mediaType: string;
  readonly digest: string;
}

/**
 * Fetches the text of an artifact: `oci://registry/repository:tag`, or `…@sha256:…` for one that never changes. The
 * text is its only layer, or the one of type `application/apollo.schema`. What does not have its digest is rejected.
 *
 * OCI Distribution Specification 1.1, "Pull".
 */
export function ociFetcher(access: RemoteAccess['oci'], send: Send): FetchText {
  return async (url, known) => {
    const { registry, repository, reference } = artifactOf(url);
    const base = `${isLoopback(url.hostname) ? 'http' : 'https'}://${registry}/v2/${repository}`;
    const { bytes, authorization } = await getAuthorized(`${base}/manifests/${reference}`, access, send);
    const version = digestOf(bytes);
    if (reference.startsWith('sha256:') && reference !== version) {
      throw new Error(`the manifest has the digest ${version}`);
    }
    if (version === known) {
      return undefined;
    }
    const { digest } = textLayer(JSON.parse(new TextDecoder().decode(bytes)));
    const layer = await readBytes(await get(`${base}/blobs/${digest}`, authorization, send));
    if (digestOf(layer) !== digest) {
      throw new Error(`the layer has the digest ${digestOf(layer)}, not ${digest}`);
    }
    return { text: new TextDecoder().decode(layer), version };
  };
}

function artifactOf({ host, pathname }: URL): { registry: string; repository: string; reference: string } {
  const path = pathname.slice(1);
  const end = path.includes('@') ? path.indexOf('@') : path.lastIndexOf(':');
  const [repository, reference] = end === -1 ? [path, 'latest'] : [path.slice(0, end), path.slice(end + 1)];
  return { registry: host, repository, reference };
}

/** Gets a manifest, with a token where the registry asks for one (its challenge: RFC 6750 §3). */
async function getAuthorized(
  url: string,
  access: RemoteAccess['oci'],
  send: Send,
): Promise<{ readonly bytes: Uint8Array; readonly authorization: string | undefined }> {
  const first = await get(url, undefined, send);
  const challenge = first.headers.get('www-authenticate') ?? '';
  if (first.status !== 401 || challenge === '') {
    return { bytes: await readBytes(first), authorization: undefined };
  }
  await first.body?.cancel();
  // A registry may redirect to its storage. What that asks for was not asked by the registry that has the credentials.
  if (new URL(first.url).origin !== new URL(url).origin) {
    throw new Error('the registry redirects to another origin, which asks for credentials');
  }
  const authorization = await authorize(challenge, { url, access, send });
  return { bytes: await readBytes(await get(url, authorization, send)), authorization };
}

interface Challenged {
  /** The URL of the registry that sent the challenge. */
  readonly url: string;
  readonly access: RemoteAccess['oci'];
  readonly send: Send;
}

async function authorize(challenge: string, { url, access, send }: Challenged): Promise<string> {
  const { username, password } = access;
  const basic =
    username === undefined
      ? undefined
      : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
  if (/^basic\b/i.test(challenge)) {
    if (basic === undefined) {
      throw new Error('the registry requires OCI_USERNAME and OCI_PASSWORD');
    }
    return basic;
  }
  const parameters = new Map(
    Array.from(
      challenge.slice(0, 4096).matchAll(/\b(realm|service|scope)="([^"]*)"/g),
      ([, name = '', value = '']) => [name, value],
    ),
  );
  const realm = URL.parse(parameters.get('realm') ?? '');
  const registry = new URL(url);
  // Tokens are mostly issued on another host, but never on this machine for a registry that is elsewhere.
  if (
    realm === null ||
    realm.protocol !== registry.protocol ||
    isLoopback(realm.hostname) !== isLoopback(registry.hostname)
  ) {
    throw new Error('the registry asks for a token from a URL that is not accepted');
  }
  for (const name of ['service', 'scope']) {
    const value = parameters.get(name);
    if (value !== undefined) {
      realm.searchParams.set(name, value);
    }
  }
  const response = await send(
    new Request(realm, { headers: basic === undefined ? {} : { Authorization: basic } }),
  );
  const granted: unknown = JSON.parse(new TextDecoder().decode(await readBytes(response)));
  const { token, access_token: accessToken } = Object(granted);
  return `Bearer ${String(token ?? accessToken)}`;
}

async function get(url: string, authorization: string | undefined, send: Send): Promise<Response> {
  const headers = new Headers({ Accept: manifestType });
  if (authorization !== undefined) {
    headers.set('Authorization', authorization);
  }
  return await send(new Request(url, { headers }));
}

function textLayer(manifest: unknown): Layer {
  const layers = layersOf(manifest);
  const layer = layers.find(({ mediaType }) => mediaType === schemaLayer) ?? layers[0];
  if (layer === undefined || (layers.length > 1 && layer.mediaType !== schemaLayer)) {
    throw new Error(`the artifact has ${layers.length} layers, none of type ${schemaLayer}`);
  }
  // It becomes a part of a path, before the bytes can be compared with it.
  if (!/^sha256:[0-9a-f]{64}$/.test(layer.digest)) {
    throw new Error('the digest of the layer is not of the form sha256:<64 hexadecimal digits>');
  }
  return layer;
}

function layersOf(manifest: unknown): readonly Layer[] {
  const { layers } = Object(manifest);
  return Array.isArray(layers)
    ? layers.map((layer) => ({
        mediaType: String(Object(layer).mediaType),
        digest: String(Object(layer).digest),
      }))
    : [];
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes)}`;
}
