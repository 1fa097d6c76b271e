import type { IncomingMessage } from 'node:http';

import { targetOf } from '@meridian/http';
import type { JsonObject } from '@meridian/json';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';
import type { ValueType } from '@meridian/settings/values';
import { positiveInteger } from '@meridian/settings/values';

import type { ParameterDescription } from './operation.ts';

/** A query parameter. It is read by the type that documents it. */
export interface QueryParameter<Value> extends ParameterDescription {
  /**
   * The value in a request; undefined when it is absent.
   *
   * @throws {Problem} `invalid-parameter`, for an invalid value, and for a repeated parameter
   */
  readonly of: (request: IncomingMessage) => Value | undefined;
}

export interface QueryParameterOptions<Value> {
  readonly description: string;
  /** Reads its text. The problem says what it takes: `limit is not a whole number from 1 up`. */
  readonly type: Pick<ValueType<Value>, 'takes' | 'parse' | 'schema'>;
  /** Annotations of the schema, such as its default. */
  readonly annotations?: JsonObject;
}

/** An optional parameter. */
export function queryParameter<Value>(
  name: string,
  { description, type, annotations }: QueryParameterOptions<Value>,
): QueryParameter<Value> {
  return {
    name,
    in: 'query',
    isRequired: false,
    description,
    schema: { ...type.schema, ...annotations },
    of(request) {
      const texts = queryOf(request).getAll(name);
      const [text] = texts;
      if (text === undefined) {
        return undefined;
      }
      if (texts.length > 1) {
        throw invalidParameter(`${name} is given more than once`);
      }
      const value = type.parse(text);
      if (value === undefined) {
        throw invalidParameter(`${name} is not ${type.takes}`);
      }
      return value;
    },
  };
}

/**
 * Refuses a query with a parameter that the operation does not have: a misspelt filter would find everything.
 *
 * @throws {Problem} `invalid-parameter`
 */
export function refuseUnknownParameters(
  request: IncomingMessage,
  parameters: readonly ParameterDescription[],
): void {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const unknown = [...queryOf(request).keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw invalidParameter(`there is no parameter ${JSON.stringify(unknown)}; it takes ${known.join(', ')}`);
  }
}

/** The query of a request's target. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  return new URLSearchParams(targetOf(request).query);
}

function invalidParameter(detail: string): Problem {
  return problem('invalid-parameter', `Cannot read the query: ${detail}.`);
}

export const defaultLimit = 50;
export const maxLimit = 100;

/** The size of a page of a collection. Contract: Resource API. */
export const limitParameter = queryParameter('limit', {
  description: `How many items the page has at most; more than ${maxLimit} counts as ${maxLimit}.`,
  type: {
    ...positiveInteger,
    parse: (digits) => (/^0*[1-9][0-9]*$/.test(digits) ? Math.min(Number(digits), maxLimit) : undefined),
  },
  annotations: { default: defaultLimit },
});
