import { negotiate } from '@meridian/http';

import { requestError } from '../../errors/request-error.ts';
import type { ResponseMediaType } from '../../http/media-types.ts';
import { acceptedDeferFormat, acceptedSubscriptionFormat } from './stream-formats.ts';

/** The media types that a response may have. The first wins a tie: clients older than the draft know only that one. */
const offers: readonly ResponseMediaType[] = ['application/json', 'application/graphql-response+json'];

/** No client names so many media types. A longer list would take milliseconds to rank, and is ignored. */
const maxAcceptLength = 2000;

/**
 * The media type of the response to a request with this `Accept`, unless it comes in parts. A client that only takes
 * parts gets JSON where there is one part, or an error.
 *
 * GraphQL over HTTP, "Media Types".
 *
 * @throws {RequestError} NOT_ACCEPTABLE
 */
export function responseMediaType(accept: string | undefined): ResponseMediaType {
  // Most clients name exactly one.
  const mediaType = offers.find((offer) => offer === accept) ?? negotiated(accept) ?? besideParts(accept);
  if (mediaType === undefined) {
    throw requestError('NOT_ACCEPTABLE', `The gateway answers ${offers.join(' or ')}`);
  }
  return mediaType;
}

function besideParts(accept: string | undefined): ResponseMediaType | undefined {
  const subscriptionFormat = acceptedSubscriptionFormat(accept);
  if (subscriptionFormat === 'sse') {
    // Such a client looks at the status.
    return 'application/graphql-response+json';
  }
  const takesParts = subscriptionFormat !== undefined || acceptedDeferFormat(accept) !== undefined;
  return takesParts ? 'application/json' : undefined;
}

function negotiated(accept: string | undefined): ResponseMediaType | undefined {
  return accept !== undefined && accept.length > maxAcceptLength ? undefined : negotiate(accept, offers);
}
