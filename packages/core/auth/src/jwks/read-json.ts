export interface ReadJsonOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the request, in addition to the time limit. */
  readonly signal: AbortSignal;
  readonly init?: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: URLSearchParams;
  };
}

/** Shorter than the deadline of a request that may be waiting. */
const timeoutMs = 1_500;
const maxBytes = 256 * 1024;

/**
 * The JSON object at a URL. Rejects when it takes over 1.5 s, redirects, has a status other than 200, is over 256 KiB, or
 * is not an object.
 */
export async function readJson(
  url: string | URL,
  { fetch, signal, init }: ReadJsonOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    ...init,
    headers: { Accept: 'application/json', ...init?.headers },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`Cannot read ${new URL(url).origin}: the response has the status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new Error(`Cannot read ${new URL(url).origin}: the response is over ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (!isObject(value)) {
    throw new Error(`Cannot read ${new URL(url).origin}: the response is not a JSON object`);
  }
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
