import type { RemoteAccess } from '../config/remote-files.ts';
import { httpsFetcher } from './fetch-https.ts';
import { ociFetcher } from './fetch-oci.ts';
import { s3Fetcher } from './fetch-s3.ts';
import type { FetchText } from './fetch-text.ts';

/** Fetches by the scheme of the URL. */
export function createFetchText({ token, s3, oci }: RemoteAccess): FetchText {
  const fetchers: Readonly<Record<string, FetchText>> = {
    'http:': httpsFetcher(token),
    'https:': httpsFetcher(token),
    's3:': s3Fetcher(s3),
    'oci:': ociFetcher(oci),
  };
  return async (url, known) => {
    const fetchText = fetchers[url.protocol];
    if (fetchText === undefined) {
      throw new Error(`${url.protocol} is not a scheme of remote files`);
    }
    return await fetchText(url, known);
  };
}
