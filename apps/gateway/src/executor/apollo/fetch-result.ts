import { SubgraphFailure } from '../../subgraphs/subgraph-failure.ts';
import type { ResponsePath } from '../executor.ts';

/** The answer of a subgraph, checked. */
export interface FetchResult {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly FetchResultError[];
  /** Whether an entity that was asked for is not there, and that is no error. */
  readonly hasMissingEntity: boolean;
}

export interface FetchResultError {
  readonly message: string;
  readonly path: ResponsePath | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * Checks the answer of a subgraph: it must be a GraphQL result with data, with errors or with both, and where entities
 * were asked for, with exactly as many.
 *
 * GraphQL specification §7.1.
 *
 * @param entityCount undefined for a fetch of root fields
 * @throws {SubgraphFailure} SUBREQUEST_MALFORMED_RESPONSE
 */
export function readFetchResult(body: unknown, entityCount: number | undefined): FetchResult {
  if (!isRecord(body)) {
    throw malformed('the answer is no JSON object');
  }
  const errors = readErrors(body['errors']);
  const data = body['data'] ?? null;
  if (data === null) {
    if (errors.length === 0) {
      throw malformed('the answer has neither data nor errors');
    }
    return { data, errors, hasMissingEntity: false };
  }
  if (!isRecord(data)) {
    throw malformed('the data is no object');
  }
  if (entityCount === undefined) {
    return { data, errors, hasMissingEntity: false };
  }
  const entities = data['_entities'] ?? null;
  if (entities === null && errors.length > 0) {
    return { data: null, errors, hasMissingEntity: false };
  }
  checkEntities(entities, entityCount);
  return { data, errors, hasMissingEntity: errors.length === 0 && entities.includes(null) };
}

function checkEntities(entities: unknown, count: number): asserts entities is readonly unknown[] {
  if (!Array.isArray(entities) || entities.length !== count) {
    throw malformed(`the answer does not have the ${count} entities that were asked for`);
  }
  if (!entities.every((entity) => entity === null || isRecord(entity))) {
    throw malformed('an entity is no object');
  }
}

function readErrors(errors: unknown): readonly FetchResultError[] {
  if (errors === undefined || errors === null) {
    return [];
  }
  if (!Array.isArray(errors)) {
    throw malformed('the errors are no list');
  }
  return errors.map((error: unknown) => {
    if (!isRecord(error)) {
      throw malformed('an error is no object');
    }
    const { message, path, extensions } = error;
    return {
      message: typeof message === 'string' ? message : 'The subgraph reported an error',
      path: isPath(path) ? path : undefined,
      extensions: isRecord(extensions) ? extensions : {},
    };
  });
}

function isPath(path: unknown): path is ResponsePath {
  return Array.isArray(path) && path.every((key) => typeof key === 'string' || typeof key === 'number');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string): SubgraphFailure {
  return new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', message);
}
