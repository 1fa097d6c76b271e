import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import {
  MaxIntrospectionDepthRule,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  validate,
} from 'graphql';

import type { RequestErrorDetail } from '../../errors/request-error.ts';
import { RequestError, requestError } from '../../errors/request-error.ts';
import { deferRules } from './defer-rules.ts';
import { mergedOperation } from './merged-operation.ts';

export interface ValidationOptions {
  /**
   * True when selections of one response name are compared. This takes more time than all other rules, so it
   * is skipped for an operation that a limit or another rule rejects anyway.
   */
  readonly comparesFields: boolean;
  /** True when the client only learns that the operation is invalid. */
  readonly isRedacted: boolean;
  /** True when the lists of introspection may nest as deep as they like. Default: false. */
  readonly nestsIntrospection?: boolean;
}

const options = { maxErrors: 10, hideSuggestions: true };
const rulesWithoutComparison = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const rulesWithDefer = [...rulesWithoutComparison, ...deferRules];

/**
 * Validates a document against the schema that clients see. Messages make no suggestions, which would reveal names of
 * a schema that is not public.
 *
 * GraphQL specification §5.
 *
 * @throws {RequestError} GRAPHQL_VALIDATION_FAILED; UNKNOWN_ERROR, as Apollo Router's, if it is redacted
 */
export function validateOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { comparesFields, isRedacted, nestsIntrospection = false }: ValidationOptions,
): void {
  const rules = schema.getDirective('defer') ? rulesWithDefer : rulesWithoutComparison;
  const applied = nestsIntrospection ? rules.filter((rule) => rule !== MaxIntrospectionDepthRule) : rules;
  throwAny(validate(schema, document, applied, options), isRedacted);
  if (comparesFields) {
    const merged = mergedOperation(document, operation);
    throwAny(validate(schema, merged, [OverlappingFieldsCanBeMergedRule], options), isRedacted);
  }
}

function throwAny(errors: readonly GraphQLError[], isRedacted: boolean): void {
  if (errors.length > 0) {
    throw isRedacted
      ? requestError('UNKNOWN_ERROR', 'invalid query')
      : new RequestError('GRAPHQL_VALIDATION_FAILED', errors.map(shown));
  }
}

/** A cycle of fragments has a location for each of them, and there may be thousands. */
const maxLocations = 10;

function shown({ message, locations }: GraphQLError): RequestErrorDetail {
  // The message of graphql-js when comparing fields takes too long.
  if (message === 'Validation aborted.') {
    return {
      message: 'The operation selects too many different fields under the same names to be validated',
    };
  }
  const unknownDirective = /^Unknown directive "@(defer|stream)"/.exec(message)?.[1];
  if (unknownDirective !== undefined) {
    return {
      message: `The gateway does not support @${unknownDirective}: send a second operation for the rest`,
      locations: locations?.slice(0, maxLocations),
    };
  }
  // One rule of graphql-js makes suggestions regardless of its options.
  return {
    message: message.replace(/ Did you mean .*$/su, ''),
    locations: locations?.slice(0, maxLocations),
  };
}
