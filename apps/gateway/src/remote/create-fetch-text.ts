import type { RemoteAccess } from '../config/remote-files.ts';
import { ociFetcher } from './fetch-oci.ts';
import { s3Fetcher } from './fetch-s3.ts';
import type { FetchText, Send } from './fetch-text.ts';
import { readTagged, rejectCredentials, sendWithin } from './fetch-text.ts';

/** Fetches by the scheme of the URL. */
export function createFetchText({ token, s3, oci, timeoutMs }: RemoteAccess): FetchText {
  const send = sendWithin(timeoutMs);
  const fetchers: Readonly<Record<string, FetchText>> = {
    'http:': httpsFetcher(token, send),
    'https:': httpsFetcher(token, send),
    's3:': s3Fetcher(s3, send),
    'oci:': ociFetcher(oci, send),
  };
  return async (url, known) => {
    const fetchText = fetchers[url.protocol];
    if (fetchText === undefined) {
      throw new Error(`${url.protocol} is not a scheme of remote files`);
    }
    rejectCredentials(url);
    return await fetchText(url, known);
  };
}

/**
 * Fetches from a web server, which need not send the file again while its entity tag is the same (RFC 9110 §13.1.2).
 *
 * @param token sent as a bearer token
 */
export function httpsFetcher(token: string | undefined, send: Send): FetchText {
  return async (url, known) => {
    const headers = new Headers({ Accept: '*/*' });
    if (known !== undefined) {
      headers.set('If-None-Match', known);
    }
    if (token !== undefined) {
      headers.set('Authorization', `Bearer ${token}`);
    }
    return await readTagged(await send(new Request(url, { headers })));
  };
}
