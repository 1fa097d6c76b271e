import type { IncomingMessage } from 'node:http';

import { targetOf } from '@meridian/http';
import type { JsonObject } from '@meridian/json';
import { problem } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import type { ParameterDescription } from './operation.ts';

/** A query parameter that is read as it is documented. */
export interface QueryParameter<Value> extends ParameterDescription {
  /**
   * The value in a request; undefined when it is absent.
   *
   * @throws {Problem} `invalid-parameter`, also when it is given twice
   */
  readonly of: (request: IncomingMessage) => Value | undefined;
}

export interface QueryParameterOptions<Value> {
  readonly description: string;
  readonly schema: JsonObject;
  /** The expected value, for the problem, such as `an integer of at least 1`. */
  readonly takes: string;
  /** The value of a text; undefined for an invalid one. */
  readonly parse: (text: string) => Value | undefined;
}

/** A parameter that may be left out. */
export function queryParameter<Value>(
  name: string,
  { description, schema, takes, parse }: QueryParameterOptions<Value>,
): QueryParameter<Value> {
  return {
    name,
    in: 'query',
    isRequired: false,
    description,
    schema,
    of(request) {
      const texts = queryOf(request).getAll(name);
      const [text] = texts;
      if (text === undefined) {
        return undefined;
      }
      if (texts.length > 1) {
        throw invalidParameter(`${name} is given more than once`);
      }
      const value = parse(text);
      if (value === undefined) {
        throw invalidParameter(`${name} is not ${takes}`);
      }
      return value;
    },
  };
}

/** The query of a request's target. */
export function queryOf(request: IncomingMessage): URLSearchParams {
  return new URLSearchParams(targetOf(request).query);
}

function invalidParameter(detail: string): Problem {
  return problem('invalid-parameter', `Cannot read the query: ${detail}.`);
}
