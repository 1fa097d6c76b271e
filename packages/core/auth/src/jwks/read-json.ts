export interface ReadJsonOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the request, in addition to the time limit. */
  readonly signal: AbortSignal;
  readonly init?: {
    readonly method?: 'POST';
    /** `Accept` is `application/json` without it. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly body?: URLSearchParams;
  };
}

/** Shorter than the deadline of a request that may be waiting. */
const timeoutMs = 1_500;
/** Enough for some 300 RSA keys; real sets have fewer than ten. */
const maxBytes = 256 * 1024;

/** Aborts with `signal`, and at the time limit of a reading. */
export function withTimeLimit(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/**
 * The JSON object at a URL. Rejects when it takes over 1.5 s, redirects, has a status other than 200, is over 256 KiB, or
 * is not an object.
 */
export async function readJson(
  url: string | URL,
  { fetch, signal, init }: ReadJsonOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = new URL(url);
  const response = await fetch(url, {
    ...init,
    headers: { Accept: 'application/json', ...init?.headers },
    // A redirect could lead to a URL that is not allowed.
    redirect: 'error',
    signal: withTimeLimit(signal),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`Cannot read ${origin}: the response has the status ${response.status}`);
  }
  return await parseJson(response.body, origin);
}

/** The JSON object in some bytes. Rejects when they are over 256 KiB, or it is not an object. */
export async function parseJson(
  content: AsyncIterable<Uint8Array>,
  source: string,
): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new Error(`Cannot read ${source}: it is over ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (!isObject(value)) {
    throw new Error(`Cannot read ${source}: it is not a JSON object`);
  }
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
