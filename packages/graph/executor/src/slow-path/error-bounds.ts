// A subgraph chooses how many errors it reports, and an error may concern every entity of a fetch: without a limit, a
// small subgraph response could make a client response of any size.
import type { JsonObject } from './data.ts';
import type { ReportedError, SubrequestError } from '../result.ts';

/** The most places at which the errors of one fetch are recorded. */
export const maxPlacesOfFetch = 100;

/** The most errors in a response; a single error summarises the omitted ones. */
export const maxErrorsOfRun = 1000;

/** The longest path of a subgraph's error; a longer one is ignored. */
export const maxPathLength = 1000;

/**
 * The most errors that are read from one response: each takes at least one place, so one more shows that some are
 * omitted.
 */
export const maxErrorsRead = maxPlacesOfFetch + 1;

/** The deepest nesting of an error's extensions. */
const maxExtensionsDepth = 20;

/**
 * The extensions of an error; nothing but their code where they nest so deep that writing them could overflow the
 * stack.
 */
export function boundExtensions(extensions: JsonObject): JsonObject {
  return nestsWithin(extensions, maxExtensionsDepth) ? extensions : codeOf(extensions);
}

function nestsWithin(value: unknown, depth: number): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (depth > 0 && Object.values(value).every((member) => nestsWithin(member, depth - 1)))
  );
}

/** The longest message or extensions of an error that is repeated. */
const maxRepeatedLength = 1000;

/**
 * An error as it is recorded at each place after its first: a long one is cut to its code and the start of its
 * message.
 */
export function repeatedError<Noted extends ReportedError | SubrequestError>(error: Noted): Noted {
  if (error.kind === 'subrequest') {
    return error;
  }
  const { message, extensions } = error;
  if (message.length + JSON.stringify(extensions).length <= maxRepeatedLength) {
    return error;
  }
  return { ...error, message: message.slice(0, maxRepeatedLength), extensions: codeOf(extensions) };
}

function codeOf({ code }: JsonObject): JsonObject {
  return typeof code === 'string' && code.length <= maxRepeatedLength ? { code } : {};
}
