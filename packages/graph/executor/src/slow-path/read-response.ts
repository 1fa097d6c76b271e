import type { JsonBounds } from '@meridian/json';
import { JsonBoundError, parseBoundedJson } from '@meridian/json';

import type { JsonObject } from './data.ts';
import { isObject } from './data.ts';
import type { ResponsePath } from '../result.ts';
import { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { boundExtensions, maxErrorsRead, maxPathLength } from './error-bounds.ts';

export interface ResponseRules {
  /** Default: far above what a schema asks for, and below what takes seconds to parse. */
  readonly bounds?: JsonBounds | undefined;
  /** `double`: loses what a double cannot hold of a number. Default: `exact`. */
  readonly numbers?: 'exact' | 'double';
}

const defaultBounds: JsonBounds = { maxDepth: 500, maxValues: 2_000_000, maxNames: 100_000 };

/** A checked response of a subgraph. */
export interface FetchResponse {
  /** Null if it has no usable data; then it has errors. */
  readonly data: JsonObject | null;
  /** As many as were requested; empty for a fetch of root fields, and without data. */
  readonly entities: readonly (JsonObject | null)[];
  /** The first of those that were reported. */
  readonly errors: readonly ReceivedError[];
  /** The number of errors that were reported. */
  readonly errorCount: number;
}

export interface ReceivedError {
  readonly message: string;
  /** In the response. */
  readonly path: ResponsePath | undefined;
  readonly extensions: JsonObject;
}

/**
 * Checks the response of a subgraph: it must be a GraphQL result with data, with errors or with both, and with
 * exactly as many entities as were requested.
 *
 * GraphQL specification §7.1.
 *
 * @param entityCount undefined for a fetch of root fields
 * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE
 */
export function readResponse(
  text: string | Buffer,
  entityCount: number | undefined,
  rules: ResponseRules = {},
): FetchResponse {
  const body = parseJson(text, rules);
  if (!isObject(body)) {
    throw malformed('the response is not a JSON object');
  }
  const reported = listOfErrors(body['errors']);
  const errorCount = reported.length;
  const errors = reported.slice(0, maxErrorsRead).map(readError);
  const data = body['data'] ?? null;
  if (data === null) {
    if (errors.length === 0) {
      throw malformed('the response has neither data nor errors');
    }
    return { data: null, entities: [], errors, errorCount };
  }
  if (!isObject(data)) {
    throw malformed('the data is not an object');
  }
  if (entityCount === undefined) {
    return { data, entities: [], errors, errorCount };
  }
  const entities = data['_entities'] ?? null;
  if (entities === null && errors.length > 0) {
    return { data: null, entities: [], errors, errorCount };
  }
  if (!Array.isArray(entities) || entities.length !== entityCount) {
    throw malformed(`the response does not have the ${entityCount} requested entities`);
  }
  return { data, entities: entities.map(readEntity), errors, errorCount };
}

/**
 * Reads the body of a response with an error status; undefined where it is not a GraphQL response, but for example
 * one of a proxy.
 */
export function readRefused(
  { body }: SubgraphFailure,
  entityCount: number | undefined,
  rules?: ResponseRules,
): FetchResponse | undefined {
  if (body === undefined) {
    return undefined;
  }
  try {
    return readResponse(body, entityCount, rules);
  } catch (error) {
    if (error instanceof SubgraphFailure) {
      return undefined;
    }
    throw error;
  }
}

function parseJson(text: string | Buffer, { bounds = defaultBounds, numbers }: ResponseRules): unknown {
  try {
    return parseBoundedJson(text.toString(), bounds, numbers);
  } catch (error) {
    const fault = error instanceof JsonBoundError ? error.fault : 'is not JSON';
    throw malformed(`the response ${fault}`, { cause: error });
  }
}

function readEntity(entity: unknown): JsonObject | null {
  if (entity !== null && !isObject(entity)) {
    throw malformed('an entity is not an object');
  }
  return entity;
}

function listOfErrors(errors: unknown): readonly unknown[] {
  if (errors === undefined || errors === null) {
    return [];
  }
  if (!Array.isArray(errors)) {
    throw malformed('the errors are not a list');
  }
  return errors;
}

function readError(error: unknown): ReceivedError {
  if (!isObject(error)) {
    throw malformed('an error is not an object');
  }
  const { message, path, extensions } = error;
  return {
    message: typeof message === 'string' ? message : 'The subgraph reported an error',
    path: isPath(path) ? path : undefined,
    extensions: isObject(extensions) ? boundExtensions(extensions) : {},
  };
}

function isPath(path: unknown): path is ResponsePath {
  return (
    Array.isArray(path) &&
    path.length <= maxPathLength &&
    path.every((key) => typeof key === 'string' || typeof key === 'number')
  );
}

function malformed(message: string, options?: ErrorOptions): SubgraphFailure {
  return new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', message, options);
}
