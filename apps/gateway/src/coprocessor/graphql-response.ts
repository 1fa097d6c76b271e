import { isRecord } from '@meridian/settings/values';

import type { StageError } from '../stages/messages.ts';

/** A GraphQL response, or a part of one, as a coprocessor gets and returns it. */
export interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly StageError[] | undefined;
  readonly extensions?: Members | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a response that are sent. */
export type SentMembers = boolean | { readonly [Name in keyof GraphqlResponse]-?: boolean };

/** The part of a response that is sent; undefined for none. */
export function sentPart(response: GraphqlResponse, sent: SentMembers): GraphqlResponse | undefined {
  if (typeof sent === 'boolean') {
    return sent ? withoutEmpty(response) : undefined;
  }
  const { data = null, errors = [], extensions = {} } = response;
  return sent.data || sent.errors || sent.extensions
    ? {
        ...(sent.data && { data }),
        ...(sent.errors && { errors }),
        ...(sent.extensions && { extensions }),
      }
    : undefined;
}

function withoutEmpty({ data, errors = [], extensions = {} }: GraphqlResponse): GraphqlResponse {
  return {
    ...(data !== undefined && { data }),
    ...(errors.length > 0 && { errors }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** A body that is not a GraphQL response. */
class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/**
 * Reads a body as a GraphQL response.
 *
 * @param isComplete true where it needs data or an error, as GraphQL's specification does (§7.1)
 * @throws {MalformedResponse}
 */
function readGraphqlResponse(body: unknown, isComplete: boolean): GraphqlResponse {
  if (!isRecord(body)) {
    throw new MalformedResponse('expected a JSON object');
  }
  const { data } = body;
  const extensions = body['extensions'] ?? {};
  const written = body['errors'] ?? [];
  if (!isRecord(extensions)) {
    throw new MalformedResponse('`extensions` is not an object');
  }
  if (!Array.isArray(written)) {
    throw new MalformedResponse('`errors` is not a list');
  }
  const errors = written.map(readError);
  if (isComplete && data === undefined && errors.length === 0) {
    throw new MalformedResponse('graphql response without data must contain at least one error');
  }
  return withoutEmpty({ data, errors, extensions });
}

function readError(error: unknown): StageError {
  if (!isRecord(error) || typeof error['message'] !== 'string') {
    throw new MalformedResponse('missing required `message` property within error');
  }
  const { message, path, locations, extensions } = error;
  if (!isRecord(extensions ?? {})) {
    throw new MalformedResponse('invalid `extensions` within error');
  }
  if (!isPath(path ?? [])) {
    throw new MalformedResponse('invalid `path` within error');
  }
  return {
    message,
    ...(isLocations(locations) && { locations }),
    ...(isPath(path) && { path }),
    ...(isRecord(extensions) && { extensions }),
  };
}

function isPath(path: unknown): path is NonNullable<StageError['path']> {
  return (
    Array.isArray(path) &&
    path.every((step) => typeof step === 'string' || (Number.isInteger(step) && Number(step) >= 0))
  );
}

function isLocations(locations: unknown): locations is NonNullable<StageError['locations']> {
  return (
    Array.isArray(locations) &&
    locations.length > 0 &&
    locations.every((at) => isRecord(at) && Number.isInteger(at['line']) && Number.isInteger(at['column']))
  );
}

/** A response with one error, as Apollo Router makes it of a body that is none. */
export function responseWithError(message: string, code: string): GraphqlResponse {
  return { errors: [{ message, extensions: { code } }] };
}

/** The response with which a coprocessor ends a request. */
export function endingResponse(body: unknown, isValidated: boolean): GraphqlResponse {
  try {
    return readGraphqlResponse(body, isValidated);
  } catch (error) {
    if (error instanceof MalformedResponse) {
      return responseWithError(
        `couldn't deserialize coprocessor output body: ${error.message}`,
        'EXTERNAL_DESERIALIZATION_ERROR',
      );
    }
    throw error;
  }
}

/**
 * The response as the coprocessor wants it. Members that it did not get stay as they are.
 *
 * @throws {MalformedResponse} for another body than a GraphQL response, where it is validated and got a valid one
 */
export function returnedResponse(
  before: GraphqlResponse,
  returned: unknown,
  { sent, isValidated }: { readonly sent: SentMembers; readonly isValidated: boolean },
): GraphqlResponse {
  const wasJudged = typeof sent === 'boolean' ? sent : sent.data || sent.errors;
  const wasValid = !wasJudged || before.data !== undefined || (before.errors?.length ?? 0) > 0;
  const isStrict = isValidated && wasValid;
  let read: GraphqlResponse;
  try {
    read = readGraphqlResponse(returned, isStrict);
  } catch (error) {
    if (isStrict) {
      throw error;
    }
    return before;
  }
  if (typeof sent === 'boolean') {
    return read;
  }
  const { data } = sent.data ? read : before;
  return {
    ...(data !== undefined && { data }),
    errors: (sent.errors ? read : before).errors,
    extensions: (sent.extensions ? read : before).extensions,
  };
}
