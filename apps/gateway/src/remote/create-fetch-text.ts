import type { RemoteAccess } from '../config/remote-files.ts';
import { httpsFetcher } from './fetch-https.ts';
import { ociFetcher } from './fetch-oci.ts';
import { s3Fetcher } from './fetch-s3.ts';
import type { FetchText } from './fetch-text.ts';
import { rejectCredentials, sendWithin } from './fetch-text.ts';

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
