import { AwsClient } from 'aws4fetch';

import type { S3Access } from '../config/remote-files.ts';
import { fetchTagged } from './fetch-https.ts';
import type { FetchText } from './fetch-text.ts';

/** Fetches `s3://bucket/key`, signed with Signature Version 4 where there is a key. */
export function s3Fetcher({
  accessKeyId,
  secretAccessKey,
  sessionToken,
  region,
  endpoint,
}: S3Access): FetchText {
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
  return async ({ hostname: bucket, pathname: key }, known) => {
    const url =
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com${key}`
        : `${endpoint.replace(/\/$/, '')}/${bucket}${key}`;
    const headers: Record<string, string> = known === undefined ? {} : { 'If-None-Match': known };
    const request = new Request(url, { headers });
    return await fetchTagged(client === undefined ? request : await client.sign(request));
  };
}
