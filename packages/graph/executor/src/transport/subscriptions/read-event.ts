import { readResponse } from '../../slow-path/read-response.ts';
import { SubscriptionFailure } from '../../subscription-failure.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import type { SubgraphEvent } from '../subgraph-transport.ts';
import { subrequestFailure } from './event-source.ts';
import type { JsonRange } from '../../json/json-members.ts';
import { jsonMembers, stringAt, wholeOf } from '../../json/json-members.ts';

const dataStart = Buffer.from('{"data":');
const errorsStart = Buffer.from(',"errors":');
const close = Buffer.from('}');

/**
 * Reads an event from the GraphQL response that a subgraph sent: its data, and its errors if it has some, as they are
 * written. A response with errors alone is a rejection: the GraphQL specification §7.1.2 calls them request errors. What is
 * not JSON, or no response, shows when the event is merged.
 */
export function readEvent(
  subgraph: string,
  text: Buffer,
  range: JsonRange = wholeOf(text),
): SubgraphEvent | SubscriptionFailure {
  const members = jsonMembers(text, range);
  const data = members?.get('data');
  const errors = members?.get('errors');
  if (data === undefined) {
    return errors === undefined
      ? { response: text.subarray(range.start, range.end), position: undefined }
      : rejectionOf(subgraph, text.toString('utf8', errors.start, errors.end));
  }
  return {
    response: Buffer.concat([
      dataStart,
      text.subarray(data.start, data.end),
      ...(errors === undefined ? [] : [errorsStart, text.subarray(errors.start, errors.end)]),
      close,
    ]),
    position: positionIn(text, members),
  };
}

/** `extensions.cursor` among the members of a response. */
export function positionIn(
  text: Buffer,
  members: ReadonlyMap<string, JsonRange> | undefined,
): string | undefined {
  const extensions = members?.get('extensions');
  return extensions && stringAt(text, jsonMembers(text, extensions)?.get('cursor'));
}

/** A rejection from a list of GraphQL errors, or from one, as JSON. */
export function rejectionOf(subgraph: string, errors: string): SubscriptionFailure {
  const list = errors.startsWith('[') ? errors : `[${errors}]`;
  try {
    const { errors: read } = readResponse(`{"errors":${list}}`, undefined);
    return new SubscriptionFailure(
      read.map(({ message, extensions }) => ({ kind: 'reported', subgraph, message, extensions })),
    );
  } catch (error) {
    if (error instanceof SubgraphFailure) {
      return subrequestFailure(subgraph, error);
    }
    throw error;
  }
}
