import { ByteQueue, tooLong } from './byte-queue.ts';
import type { PartReader, StreamParts } from './stream-parts.ts';

const lineEnd = 0x0a;
const carriageReturn = '\r';

/**
 * Reads server-sent events of GraphQL: `next` has a response, `complete` ends the stream, and an `id` without an event is
 * the position of the stream. Others, and comments, are ignored. WHATWG HTML §9.2.6; graphql-sse: PROTOCOL.md, distinct connections mode.
 */
export function createEventStreamReader(parts: StreamParts, maxBytes: number): PartReader {
  const queue = new ByteQueue(maxBytes);
  let searched = 0;
  let type = '';
  let id = '';
  let data: string[] = [];
  let dataLength = 0;

  const dispatch = (): void => {
    if (type === 'next') {
      parts.onResponse(Buffer.from(data.join('\n')));
    } else if (type === 'complete') {
      parts.onComplete();
    } else if (type === '' && id !== '' && data.length === 0) {
      parts.onPosition(id);
    }
    type = '';
    id = '';
    data = [];
    dataLength = 0;
  };
  const readLine = (line: string): void => {
    if (line === '') {
      dispatch();
      return;
    }
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'event') {
      type = value;
    } else if (name === 'id') {
      id = value;
    } else if (name === 'data') {
      dataLength += value.length;
      if (dataLength > maxBytes) {
        throw tooLong(maxBytes);
      }
      data.push(value);
    }
  };
  return (chunk) => {
    queue.append(chunk);
    for (;;) {
      const { bytes } = queue;
      const end = bytes.indexOf(lineEnd, searched);
      if (end === -1) {
        searched = bytes.length;
        return;
      }
      const line = bytes.toString('utf8', 0, end);
      queue.drop(end + 1);
      searched = 0;
      readLine(line.endsWith(carriageReturn) ? line.slice(0, -1) : line);
    }
  };
}
