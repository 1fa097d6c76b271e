import { requestError } from '../errors/request-error.ts';

/** The content codings that a body may have. RFC 9110 §8.4.1. */
const codings = ['gzip', 'x-gzip', 'br', 'deflate'] as const;

export type BodyCoding = (typeof codings)[number];

/** The accepted codings, listed in the response to another one. RFC 9110 §12.5.3. */
const acceptedCodings = 'gzip, br, deflate';

/**
 * The content coding of a body; undefined for one without.
 *
 * @throws {RequestError} UNSUPPORTED_MEDIA_TYPE for one that is not undone here, and for several
 */
export function bodyCoding(field: string | undefined): BodyCoding | undefined {
  const name = field?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') {
    return undefined;
  }
  if (!isCoding(name)) {
    throw requestError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body may have one of the content codings ${acceptedCodings}, or none`,
      { headers: { 'Accept-Encoding': acceptedCodings } },
    );
  }
  return name;
}

function isCoding(name: string): name is BodyCoding {
  return codings.some((coding) => coding === name);
}
