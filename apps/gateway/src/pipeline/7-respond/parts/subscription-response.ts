import type { IncomingHttpHeaders } from 'node:http';

import type { BodyInParts, HttpResponse } from '@meridian/http';

import { eventStream } from '../../../http/media-types.ts';
import type { SubscriptionFormat } from '../../../http/media-types.ts';
import type { ClientStream, StreamMessage } from '../../../streams/client-stream.ts';
import { uncachedFields } from '../cache-control.ts';
import { multipartDelimiter, multipartPart, multipartType } from './multipart.ts';

/** A response whose body has the messages of a stream, which a WebSocket sends in another form. */
export interface SubscriptionResponse extends HttpResponse {
  readonly stream: ClientStream;
}

/**
 * The response with the events of a subscription. It is never compressed: the state of a compressor takes hundreds of
 * kilobytes for as long as the stream is open.
 *
 * Contract: section 9.
 */
export function subscriptionResponse(
  stream: ClientStream,
  format: SubscriptionFormat,
  { authorization }: IncomingHttpHeaders,
): SubscriptionResponse {
  const { mediaType, opening, write } = formats[format];
  return {
    status: 200,
    headers: {
      'Content-Type': mediaType,
      ...uncachedFields(authorization !== undefined, false),
      // nginx holds events back otherwise.
      'X-Accel-Buffering': 'no',
    },
    body: written(stream, opening, write),
    stream,
  };
}

interface Format {
  readonly mediaType: string;
  /** Sent at once: some proxies hold the head back until a body follows. */
  readonly opening: string;
  readonly write: (message: StreamMessage) => string;
}

/** With an empty `data`, without which an EventSource ignores it. */
const sseEnd = 'event: complete\ndata:\n\n';

const formats: Readonly<Record<SubscriptionFormat, Format>> = {
  // https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
  multipart: {
    mediaType: multipartType('subscriptionSpec=1.0'),
    opening: multipartDelimiter,
    write(message) {
      switch (message.kind) {
        case 'next':
          return multipartPart(`{"payload":${message.json}}`, false);
        case 'heartbeat':
          return multipartPart('{}', false);
        case 'position':
          // Its protocol has no place for it.
          return '';
        case 'error':
          return multipartPart(`{"payload":null,"errors":${message.json}}`, true);
        case 'complete':
        case 'away':
        default:
          return '--\r\n';
      }
    },
  },
  // GraphQL over SSE, distinct connections mode.
  sse: {
    mediaType: eventStream,
    opening: ':\n\n',
    write(message) {
      switch (message.kind) {
        case 'next':
          return `event: next\n${idLine(message.position)}data: ${message.json}\n\n`;
        case 'heartbeat':
          return ':\n\n';
        case 'position':
          return `${idLine(message.position)}\n`;
        case 'error':
          return `event: next\ndata: {"errors":${message.json}}\n\n${sseEnd}`;
        case 'away':
          // An EventSource connects again, with its latest position.
          return '';
        case 'complete':
        default:
          return sseEnd;
      }
    },
  },
};

/** The body of a response, as JSON, in server-sent events: one, and the end. Line breaks in JSON are between its tokens. */
// oxlint-disable-next-line typescript/require-await -- a body in parts is async
export async function* asEvent(json: string): AsyncGenerator<string> {
  yield `event: next\ndata: ${json.replaceAll(/[\r\n]+/g, ' ')}\n\n${sseEnd}`;
}

/** A position with other characters could not be sent back in `Last-Event-ID`. */
const sendablePosition = /^[!-~]{1,1000}$/;

function idLine(position: string | undefined): string {
  return position !== undefined && sendablePosition.test(position) ? `id: ${position}\n` : '';
}

/** Not a generator: one that waits for a message would not pass `return` on. */
function written(stream: ClientStream, opening: string, write: Format['write']): BodyInParts {
  let isOpen = false;
  return {
    [Symbol.asyncIterator]: () => ({
      next(): Promise<IteratorResult<string, void>> {
        if (!isOpen) {
          isOpen = true;
          return Promise.resolve({ done: false, value: opening });
        }
        return stream.nextAs(write);
      },
      async return(): Promise<IteratorReturnResult<undefined>> {
        await stream.return();
        return { done: true, value: undefined };
      },
    }),
  };
}
