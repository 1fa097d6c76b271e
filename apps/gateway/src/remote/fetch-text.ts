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

/** The part of an error's body in which its code is. */
const maxErrorBytes = 4096;
/** The longest file. Supergraphs of a thousand types have 1 to 3 MB. */
const maxBytes = 64 * 1024 * 1024;

/** The maximum of redirects for one request: of a web server, or of a registry to its storage. */
const maxRedirects = 5;
/** Header fields for the origin of the request alone. */
const credentialFields = ['authorization', 'x-amz-security-token'];

/**
 * Sends a request; over TLS, unless it is to this machine. Redirects are followed to URLs of the same scheme. Another
 * origin does not receive the credentials: storage that a registry redirects to has its own in the URL.
 *
 * @throws {Error} where nothing responds in time, and for a redirect that is not followed
 */
export type Send = (request: Request) => Promise<Response>;

/** @param timeoutMs for one request, its redirects and its body included */
export function sendWithin(timeoutMs: number): Send {
  return async (request) => {
    const signal = AbortSignal.timeout(timeoutMs);
    let current = request;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await sendOnce(current, signal);
      const location = redirectOf(response);
      if (location === undefined) {
        return response;
      }
      await response.body?.cancel();
      current = redirected(current, location);
    }
    throw new Error(`the response is the ${maxRedirects + 1}th redirect`);
  };
}

async function sendOnce(request: Request, signal: AbortSignal): Promise<Response> {
  const { protocol, hostname } = new URL(request.url);
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw new Error('only https:// is fetched from another machine');
  }
  try {
    return await fetch(request, { signal, redirect: 'manual' });
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function redirectOf({ status, headers }: Response): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? (headers.get('location') ?? undefined) : undefined;
}

/** The request that a redirect asks for. */
function redirected({ url, headers: sent }: Request, location: string): Request {
  const [from, to] = [new URL(url), URL.parse(location, url)];
  if (to?.protocol !== from.protocol) {
    throw new Error(
      `the response redirects to ${to === null ? 'no URL' : to.protocol}, and the scheme of the file is ${from.protocol}`,
    );
  }
  rejectCredentials(to);
  const headers = new Headers(sent);
  if (to.origin !== from.origin) {
    credentialFields.forEach((name) => headers.delete(name));
  }
  return new Request(to, { headers });
}

/** @throws {Error} for a URL with credentials, which `fetch` would repeat in its message */
export function rejectCredentials({ username, password }: URL): void {
  if (username !== '' || password !== '') {
    throw new Error(
      'a URL with credentials is not fetched; REMOTE_FILES_TOKEN, AWS_ or OCI_ variables have them',
    );
  }
}

/**
 * Reads the body of a response with status 200.
 *
 * @throws {Error} for another status and for a body that is too long
 */
export async function readBytes(response: Response): Promise<Uint8Array> {
  if (response.status !== 200) {
    const code = await errorCodeOf(response);
    throw new Error(`the response has status ${response.status}${code === undefined ? '' : ` (${code})`}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new Error(`the file is over ${maxBytes} bytes`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
  return Buffer.concat(chunks);
}

/** Reads the response to a conditional request; undefined for 304. */
export async function readTagged(response: Response): Promise<RemoteText | undefined> {
  if (response.status === 304) {
    return undefined;
  }
  const bytes = await readBytes(response);
  return { text: new TextDecoder().decode(bytes), version: response.headers.get('etag') ?? undefined };
}

/** The code that a store gives as its reason: of S3 in XML, of a registry in JSON. */
async function errorCodeOf({ body }: Response): Promise<string | undefined> {
  for await (const chunk of body ?? []) {
    // Leaves the rest unread.
    const start = new TextDecoder().decode(chunk.subarray(0, maxErrorBytes));
    const [, inXml, inJson] = /<Code>(\w{1,60})<|"code":\s{0,9}"(\w{1,60})"/u.exec(start) ?? [];
    return inXml ?? inJson;
  }
  return undefined;
}

/** The reason of what `fetch` throws: it has that in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if (error.name === 'TimeoutError') {
    return 'no complete response in time (REMOTE_FILES_TIMEOUT_MS)';
  }
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

/** True for a host name of this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
