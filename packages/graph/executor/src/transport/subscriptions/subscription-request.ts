// A subscription as an HTTP request, and the response to it where that is not a stream.
import type { Dispatcher } from 'undici';

import type { JsonRange } from '../../json/json-members.ts';
import { jsonMembers, wholeOf } from '../../json/json-members.ts';
import type { StreamFailure, StreamRequest } from './event-source.ts';
import { StreamLost, bodyOf } from './event-source.ts';
import { rejectionOf } from './read-event.ts';

/** The request for a stream; `accept` is what the protocol asks for, whatever the client does. */
export function subscriptionRequest(
  url: string,
  request: StreamRequest,
  { accept, extensions }: { readonly accept: string; readonly extensions?: object },
): Dispatcher.RequestOptions {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...request.headers, accept },
    body: bodyOf(request, extensions),
  };
}

/** The failure where no response came. */
export function unreachable(cause: unknown): StreamLost {
  return new StreamLost('SUBREQUEST_HTTP_ERROR', 'the subgraph could not be reached', { cause });
}

/** A response without a stream. */
export interface SmallResponse {
  readonly text: Buffer;
  /** Undefined where it is not a JSON object. */
  readonly members: ReadonlyMap<string, JsonRange> | undefined;
}

/** Reads a response without a stream. A failure where it has GraphQL errors, or the status 5xx: that may pass. */
export async function readSmallResponse(
  { statusCode, body }: Dispatcher.ResponseData,
  subgraph: string,
): Promise<StreamFailure | SmallResponse> {
  if (statusCode > 499) {
    await body.dump();
    const message = `the subgraph responded with the status ${statusCode}`;
    return new StreamLost('SUBREQUEST_HTTP_ERROR', message, { status: statusCode });
  }
  const text = await startOf(body);
  const members = jsonMembers(text, wholeOf(text));
  const errors = members?.get('errors');
  return errors === undefined
    ? { text, members }
    : rejectionOf(subgraph, text.toString('utf8', errors.start, errors.end));
}

/** The most bytes of a response without a stream. */
const maxBytes = 1_000_000;

/** All of a body; only its start where it is long. */
async function startOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) {
      break;
    }
  }
  return Buffer.concat(chunks);
}
