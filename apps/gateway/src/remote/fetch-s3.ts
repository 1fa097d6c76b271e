import { AwsClient } from 'aws4fetch';

import type { RemoteAccess } from '../config/remote-files.ts';
import type { FetchText, Send } from './fetch-text.ts';
import { readTagged } from './fetch-text.ts';

/** Fetches `s3://bucket/key`, signed with Signature Version 4 where there is a key. */
export function s3Fetcher(
  { accessKeyId, secretAccessKey, sessionToken, region, endpoint }: RemoteAccess['s3'],
  send: Send,
): FetchText {
  const client =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : new AwsClient({
          accessKeyId,
          secretAccessKey,
          service: 's3',
          region,
          ...(sessionToken !== undefined && { sessionToken }),
        });
  return async ({ hostname: bucket, pathname }, known) => {
    const key = encodedKey(pathname);
    const url =
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com${key}`
        : `${endpoint.replace(/\/$/, '')}/${bucket}${key}`;
    const headers: Record<string, string> = known === undefined ? {} : { 'If-None-Match': known };
    const request = new Request(url, { headers });
    return await readTagged(await send(client === undefined ? request : await client.sign(request)));
  };
}

/** Encodes the `+` of a key, which the library would sign as a space. */
function encodedKey(pathname: string): string {
  return pathname.replaceAll('+', '%2B');
}
