import { createReadStream } from 'node:fs';
import { parseVerificationKey } from './verification-key.ts';
import type { VerificationKey } from './verification-key.ts';

export interface LoadJwksOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the request, in addition to the time limit. */
  readonly signal: AbortSignal;
}

/** Shorter than the deadline of a request that may be waiting. */
const timeoutMs = 1_500;
/** Enough for some 300 RSA keys; real sets have fewer than ten. */
const maxBytes = 256 * 1024;

/**
 * Fetches the keys of a JWKS (RFC 7517 §5) from an `https:`, `http:` or `file:` URL. Leaves out keys that cannot verify
 * tokens here. Rejects when it takes over 1.5 s, redirects, has a status other than 200, is over 256 KiB, or is not a
 * JWKS.
 */
export async function loadJwks(
  url: URL,
  { fetch, signal }: LoadJwksOptions,
): Promise<readonly VerificationKey[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const content =
    url.protocol === 'file:'
      ? createReadStream(url, { signal: limited })
      : await request(url, fetch, limited);
  return parseJwks(await collect(content));
}

async function request(
  url: URL,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, {
    headers: { Accept: 'application/jwk-set+json, application/json' },
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

function parseJwks(text: string): readonly VerificationKey[] {
  const value: unknown = JSON.parse(text);
  const members = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined;
  if (!Array.isArray(members)) {
    throw new Error('Cannot load the JWKS: it has no list of keys');
  }
  return members.map(parseVerificationKey).filter((key) => key !== undefined);
}
