// A subgraph chooses how many errors it reports, and an error may concern every entity of a fetch: without a bound, a small
// answer would make a response of any size.
import type { ReportedError, SubrequestError } from '../result.ts';

/** How many places the errors of one fetch are noted at. */
export const maxPlacesOfFetch = 100;

/** How many errors a response has, those that are left out standing as one. */
export const maxErrorsOfRun = 1000;

/** How many keys the path of an error has in an answer; a longer one leads nowhere. */
export const maxPathLength = 1000;

/** How long the message and the extensions of an error are where they are repeated. */
const maxRepeatedLength = 1000;

/** An error as it is noted at each place after its first: one that is long is cut down to its code and its message's start. */
export function repeatedError<Noted extends ReportedError | SubrequestError>(error: Noted): Noted {
  if (error.kind === 'subrequest') {
    return error;
  }
  const { message, extensions } = error;
  if (message.length + JSON.stringify(extensions).length <= maxRepeatedLength) {
    return error;
  }
  const { code } = extensions;
  const isShort = typeof code === 'string' && code.length <= maxRepeatedLength;
  return { ...error, message: message.slice(0, maxRepeatedLength), extensions: isShort ? { code } : {} };
}
