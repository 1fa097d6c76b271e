import { isLoopback } from './is-loopback.ts';

/** The text of a remote file at one time. */
export interface RemoteText {
  readonly text: string;
  /** Identifies the text to its store: an entity tag or a digest. Undefined where the store has none. */
  readonly version: string | undefined;
}

/**
 * Fetches a remote file.
 *
 * @param known the version at hand
 * @returns undefined when the file still has that version
 * @throws {Error} with a message that says why it cannot be fetched
 */
export type FetchText = (url: URL, known: string | undefined) => Promise<RemoteText | undefined>;

/** The time for one request, body included. */
const timeoutMs = 30_000;
/** The longest file. Supergraphs of a thousand types have 1 to 3 MB. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Sends a request; over TLS, unless it is to this machine.
 *
 * @throws {Error} where nothing responds in time
 */
export async function send(request: Request): Promise<Response> {
  const { protocol, hostname } = new URL(request.url);
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new Error('only https:// is fetched from another machine');
  }
  try {
    return await fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

/**
 * Reads the body of a response with status 200.
 *
 * @throws {Error} for another status and for a body that is too long
 */
export async function readBytes(response: Response): Promise<Uint8Array> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the response has status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new Error(`the file is over ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The reason of what `fetch` throws: it has that in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error.name === 'TimeoutError') {
    return `no response within ${timeoutMs} ms`;
  }
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
