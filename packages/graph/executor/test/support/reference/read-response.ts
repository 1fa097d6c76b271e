import type { ResponsePath } from '../../../src/result.ts';
import { boundExtensions, maxErrorsRead, maxPathLength } from '../../../src/slow-path/error-bounds.ts';
import { SubgraphFailure } from '../../../src/transport/subgraph-failure.ts';
import { parseRaw } from '../exact-json.ts';
import type { JsonObject } from './data-object.ts';
import { isJsonObject } from './data-object.ts';

/** The answer of a subgraph. */
export interface Outcome {
  /** The data, or the entities; empty where there is nothing but errors. */
  readonly objects: readonly (JsonObject | null)[];
  readonly errors: readonly ResponseError[];
}

export interface ResponseError {
  readonly message: string;
  readonly path: ResponsePath | undefined;
  readonly extensions: JsonObject;
}

/**
 * Reads an answer. It must be a GraphQL result with data, with errors or with both, and with exactly as many entities
 * as were asked for.
 *
 * GraphQL specification §7.1.
 *
 * @param entityCount undefined for a fetch of root fields
 * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE
 */
export function readResponse(text: string | Buffer, entityCount: number | undefined): Outcome {
  const body = parse(text);
  if (!isJsonObject(body)) {
    throw malformed('no JSON object');
  }
  const reported = body['errors'] ?? [];
  if (!Array.isArray(reported)) {
    throw malformed('errors that are not a list');
  }
  const errors = reported.slice(0, maxErrorsRead).map(readError);
  const data = body['data'] ?? null;
  if (data !== null && !isJsonObject(data)) {
    throw malformed('data that is not an object');
  }
  const wanted: unknown = entityCount === undefined ? data : (data?.['_entities'] ?? null);
  if (data === null || wanted === null) {
    if (errors.length === 0) {
      throw malformed('neither data nor errors');
    }
    return { objects: [], errors };
  }
  const objects: unknown = entityCount === undefined ? [wanted] : wanted;
  if (!Array.isArray(objects) || objects.length !== (entityCount ?? 1)) {
    throw malformed('not the entities that were asked for');
  }
  return { objects: objects.map(readObject), errors };
}

function parse(text: string | Buffer): unknown {
  try {
    return parseRaw(text.toString());
  } catch (error) {
    throw malformed('no JSON', error);
  }
}

function readObject(value: unknown): JsonObject | null {
  if (value === null || isJsonObject(value)) {
    return value;
  }
  throw malformed('an entity that is not an object');
}

function readError(error: unknown): ResponseError {
  if (!isJsonObject(error)) {
    throw malformed('an error that is not an object');
  }
  const { message, path, extensions } = error;
  return {
    message: typeof message === 'string' ? message : 'The subgraph reported an error',
    path: isPath(path) ? path : undefined,
    extensions: isJsonObject(extensions) ? boundExtensions(extensions) : {},
  };
}

function isPath(path: unknown): path is ResponsePath {
  return (
    Array.isArray(path) &&
    path.length <= maxPathLength &&
    path.every((key) => typeof key === 'string' || typeof key === 'number')
  );
}

function malformed(what: string, cause?: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `The answer has ${what}`, { cause });
}
