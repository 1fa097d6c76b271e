import { SubgraphFailure } from '../subgraph-failure.ts';
import { ByteQueue } from './byte-queue.ts';
import { jsonMembers, wholeOf } from '../../json/json-members.ts';
import type { PartReader, StreamParts } from './stream-parts.ts';

const headEnd = '\r\n\r\n';

/**
 * Reads the parts of a multipart subscription: a part has a response as its `payload`; an empty object is a heartbeat; a
 * null payload with errors is the end.
 *
 * Apollo's multipart subscription protocol, `subscriptionSpec=1.0`; RFC 2046 §5.1.1.
 */
export function createMultipartReader(parts: StreamParts, maxBytes: number, boundary: string): PartReader {
  const queue = new ByteQueue(maxBytes);
  const delimiter = Buffer.from(`--${boundary}`);
  let searched = 0;
  /** Undefined before the first delimiter: what is there is no part. */
  let partStart: number | undefined;

  return (chunk) => {
    queue.append(chunk);
    for (;;) {
      const { bytes } = queue;
      const found = bytes.indexOf(delimiter, searched);
      const afterFound = found + delimiter.length;
      // The two characters after it say whether it is the last.
      if (found === -1 || bytes.length < afterFound + 2) {
        searched = Math.max(found === -1 ? bytes.length - delimiter.length : found, 0);
        return;
      }
      if (partStart !== undefined) {
        readPart(bytes.subarray(partStart, found), parts);
      }
      if (bytes.toString('latin1', afterFound, afterFound + 2) === '--') {
        parts.onComplete();
        return;
      }
      queue.drop(afterFound);
      partStart = 0;
      searched = 0;
    }
  };
}

function readPart(part: Buffer, parts: StreamParts): void {
  const start = part.indexOf(headEnd);
  const body = start === -1 ? part : part.subarray(start + headEnd.length);
  const members = jsonMembers(body, wholeOf(body));
  if (members === undefined) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', 'a part is not a JSON object');
  }
  const payload = members.get('payload');
  const errors = members.get('errors');
  if (payload !== undefined && body.toString('latin1', payload.start, payload.end) !== 'null') {
    parts.onResponse(Buffer.from(body.subarray(payload.start, payload.end)));
  } else if (errors !== undefined) {
    parts.onErrors(body.toString('utf8', errors.start, errors.end));
  }
}
