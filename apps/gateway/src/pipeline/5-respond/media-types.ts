import { negotiate } from '@meridian/http';

import { refusal } from '../../refusal.ts';

/** How a result may be labelled. Among equals the first is chosen: clients of before the draft know only that. */
const offers = ['application/json', 'application/graphql-response+json'] as const;

export type ResponseMediaType = (typeof offers)[number];

/**
 * The media type of the answer to a request with this `Accept`.
 *
 * GraphQL over HTTP, "Media Types".
 *
 * @throws {Refusal} NOT_ACCEPTABLE
 */
export function responseMediaType(accept: string | undefined): ResponseMediaType {
  // Most clients name one, and it alone.
  const mediaType = offers.find((offer) => offer === accept) ?? negotiate(accept, offers);
  if (mediaType === undefined) {
    throw refusal('NOT_ACCEPTABLE', `The gateway answers ${offers.join(' or ')}`);
  }
  return mediaType;
}
