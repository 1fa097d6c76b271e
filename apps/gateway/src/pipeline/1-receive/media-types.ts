import { negotiate } from '@meridian/http';

import { requestError } from '../../errors/request-error.ts';
import type {
  DeferFormat,
  ResponseMediaType,
  StreamFormat,
  SubscriptionFormat,
} from '../../http/media-types.ts';
import { eventStream } from '../../http/media-types.ts';

/** The media types that a response may have. The first wins a tie: clients older than the draft know only that one. */
const offers: readonly ResponseMediaType[] = ['application/json', 'application/graphql-response+json'];

/** No client names so many media types. A longer list would take milliseconds to rank, and is ignored. */
const maxAcceptLength = 2000;

/**
 * The media type of the response to a request with this `Accept`, unless it comes in parts. A client that only takes
 * parts gets JSON where there is one part, or an error; one that only takes server-sent events gets those.
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
    return eventStream;
  }
  const takesParts = subscriptionFormat !== undefined || acceptedDeferFormat(accept) !== undefined;
  return takesParts ? 'application/json' : undefined;
}

function negotiated(accept: string | undefined): ResponseMediaType | undefined {
  return accept !== undefined && accept.length > maxAcceptLength ? undefined : negotiate(accept, offers);
}

/**
 * The format in which a client takes deferred parts; undefined where it takes none. `multipart/mixed` without a
 * parameter, as urql sends it, takes the older one.
 */
export function acceptedDeferFormat(accept: string | undefined): DeferFormat | undefined {
  return preferred(accept, ({ type, parameters }) => {
    if (type !== 'multipart/mixed') {
      return undefined;
    }
    if (parameters.get('incrementalspec') === 'v0.2') {
      return 'defer-v0.2';
    }
    const isPlain = !specifications.some((name) => parameters.has(name));
    return isPlain || parameters.get('deferspec') === '20220824' ? 'defer-20220824' : undefined;
  });
}

/**
 * The format of a response whose operation defers.
 *
 * @throws {RequestError} DEFER_BAD_HEADER for a client that takes no parts
 */
export function requireDeferFormat(accept: string | undefined): DeferFormat {
  const format = acceptedDeferFormat(accept);
  if (format === undefined) {
    throw requestError(
      'DEFER_BAD_HEADER',
      'The operation uses @defer: send it over HTTP, not a WebSocket, and Accept with multipart/mixed;deferSpec=20220824 or multipart/mixed;incrementalSpec=v0.2',
    );
  }
  return format;
}

/**
 * The format of the response to a subscription.
 *
 * @throws {RequestError} SUBSCRIPTION_BAD_HEADER for a client that takes no events
 */
export function requireSubscriptionFormat(accept: string | undefined): SubscriptionFormat {
  const format = acceptedSubscriptionFormat(accept);
  if (format === undefined) {
    throw requestError(
      'SUBSCRIPTION_BAD_HEADER',
      'The operation is a subscription: send Accept with text/event-stream or multipart/mixed;subscriptionSpec=1.0, or use a WebSocket',
    );
  }
  return format;
}

/** The format in which a client takes the events of a subscription; undefined where it takes none. */
export function acceptedSubscriptionFormat(accept: string | undefined): SubscriptionFormat | undefined {
  return preferred(accept, ({ type, parameters }) => {
    if (type === 'text/event-stream') {
      return 'sse';
    }
    return type === 'multipart/mixed' && parameters.get('subscriptionspec') === '1.0'
      ? 'multipart'
      : undefined;
  });
}

/** The parameters that choose a format of `multipart/mixed`. */
const specifications = ['deferspec', 'incrementalspec', 'subscriptionspec'];

interface MediaRange {
  /** In lower case. */
  readonly type: string;
  /** Names in lower case, values without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The format with the highest quality, among equals the one that is named first. RFC 9110 §12.5.1. */
function preferred<Format extends StreamFormat>(
  accept: string | undefined,
  formatOf: (range: MediaRange) => Format | undefined,
): Format | undefined {
  if (accept === undefined || accept.length > maxAcceptLength || !/multipart|event-stream/i.test(accept)) {
    return undefined;
  }
  let best: { readonly format: Format; readonly quality: number } | undefined;
  for (const range of splitUnquoted(accept, ',').map(parseRange)) {
    const format = formatOf(range);
    if (format !== undefined && range.quality > (best?.quality ?? 0)) {
      best = { format, quality: range.quality };
    }
  }
  return best?.format;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...members] = splitUnquoted(text, ';').map((part) => part.trim());
  const parameters = new Map(
    members.map((member) => {
      const [name = '', ...value] = member.split('=');
      return [name.trim().toLowerCase(), unquoted(value.join('=').trim())];
    }),
  );
  const quality = Number(parameters.get('q') ?? 1);
  // Not a number is not a preference.
  return { type: type.toLowerCase(), parameters, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1).replaceAll(/\\(.)/gu, '$1')
    : value;
}

/** Splits a field at a separator, but not within a quoted text. RFC 9110 §5.6.4. */
function splitUnquoted(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === '\\' && isQuoted) {
      index += 1;
    } else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
