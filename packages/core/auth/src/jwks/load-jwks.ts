import { createReadStream } from 'node:fs';
import { parseVerificationKey } from './verification-key.ts';
import type { VerificationKey } from './verification-key.ts';

export interface LoadJwksOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the request, in addition to the time limit. */
  readonly signal: AbortSignal;
  /** Header fields of the request, in addition to `Accept`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Shorter than the deadline of a request that may be waiting. */
const timeoutMs = 1_500;
/** Enough for some 300 RSA keys; real sets have fewer than ten. */
const maxBytes = 256 * 1024;

/**
 * Fetches the keys of a JWKS (RFC 7517 §5) from an `https:`, `http:` or `file:` URL. Leaves out keys that cannot verify
 * tokens here; a secret is a key only in a file. Rejects when it takes over 1.5 s, redirects, has a status other than
 * 200, is over 256 KiB, or is not a JWKS.
 */
export async function loadJwks(
  url: URL,
  { fetch, signal, headers }: LoadJwksOptions,
): Promise<readonly VerificationKey[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const isFile = url.protocol === 'file:';
  const content = isFile
    ? createReadStream(url, { signal: limited })
    : await request(url, { fetch, signal: limited, headers });
  return parseJwks(await collect(content), isFile);
}

async function request(
  url: URL,
  { fetch, signal, headers }: LoadJwksOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, {
    headers: { Accept: 'application/jwk-set+json, application/json', ...headers },
    // A redirect could lead to a URL that `jwksUrl` does not allow.
    redirect: 'error',
    signal,
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`Cannot load the JWKS: the response has the status ${response.status}`);
  }
  return response.body;
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new Error(`Cannot load the JWKS: it is over ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseJwks(text: string, areSecretsAllowed: boolean): readonly VerificationKey[] {
  const value: unknown = JSON.parse(text);
  const members = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined;
  if (!Array.isArray(members)) {
    throw new Error('Cannot load the JWKS: it has no list of keys');
  }
  return members
    .map((member) => parseVerificationKey(member, { areSecretsAllowed }))
    .filter((key) => key !== undefined);
}
