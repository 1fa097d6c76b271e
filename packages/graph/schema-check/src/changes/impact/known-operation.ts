import type { DocumentNode, GraphQLSchema } from 'graphql';
import { GraphQLError, isEnumType, isInputObjectType, parse } from 'graphql';

import type { OperationFacts } from './operation-facts.ts';
import { factsOfFields, readFacts } from './operation-facts.ts';
import { isValidOperation, operationErrors } from './validate-operation.ts';

/** An operation that clients may send. */
export interface KnownOperation {
  /** Identifies its text among all known operations. */
  readonly key: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  /** The document; absent where usage was recorded without it. */
  readonly text: string | undefined;
  /** Its identifiers in manifests. */
  readonly identifiers: readonly string[];
  readonly clients: readonly OperationClient[];
  /** The fields that it selects, as usage recorded them: for an operation without a text. */
  readonly recordedFields?: readonly string[];
  /**
   * The input fields (`Input.field`) and enum values (`Enum.VALUE`) that clients sent in variables. Absent where usage
   * was not recorded for long enough, so that any of them may be sent.
   */
  readonly sentInputs?: ReadonlySet<string> | undefined;
}

/** A client of an operation. */
export interface OperationClient {
  /** Empty for an unnamed client. */
  readonly name: string;
  /** Absent for a client of a manifest, of which any version may be in use. */
  readonly version: string | undefined;
  /** In the window of usage; absent where no use is recorded. */
  readonly requests: number | undefined;
  /** `2026-01-31`; absent if no use is recorded. */
  readonly lastDay: string | undefined;
}

/** An operation that a change concerns. */
export interface Hit {
  readonly operation: KnownOperation;
  /**
   * - `invalid`: it does not validate any more.
   * - `response`: its response has another type.
   * - `variables`: variables that clients send are not accepted, or mean something else.
   * - `null`: a variable that may be null is not accepted if it is.
   * - `uses`: it uses what changed, and stays valid.
   */
  readonly how: 'invalid' | 'response' | 'variables' | 'null' | 'uses';
  /** False if it depends on variables that usage does not record. */
  readonly isCertain: boolean;
}

/** A known operation, read against the graph that it ran over. */
export interface ReadOperation {
  readonly operation: KnownOperation;
  readonly facts: OperationFacts;
  /** Absent where usage was recorded without the text. */
  readonly document: DocumentNode | undefined;
}

/**
 * Reads an operation. Undefined for one that does not run over this schema: no change can break it.
 *
 * An operation without a text counts as valid.
 */
export function readOperation(schema: GraphQLSchema, operation: KnownOperation): ReadOperation | undefined {
  if (operation.text === undefined) {
    return { operation, facts: factsOfFields(operation.recordedFields ?? []), document: undefined };
  }
  const document = parsed(operation.text);
  return document instanceof GraphQLError || !isValidOperation(schema, document)
    ? undefined
    : { operation, facts: readFacts(schema, document), document };
}

/** The errors of an operation over a schema. */
export function errorsOf(schema: GraphQLSchema, { text = '' }: KnownOperation): readonly string[] {
  const document = parsed(text);
  const errors = document instanceof GraphQLError ? [document] : operationErrors(schema, document);
  return errors.map(({ message }) => message);
}

function parsed(text: string): DocumentNode | GraphQLError {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) {
      return error;
    }
    throw error;
  }
}

/**
 * The coordinates of fields, arguments, input fields and enum values that an operation uses. An input that variables
 * may hold counts as used, unless usage says which ones clients send.
 */
export function usedCoordinates(
  schema: GraphQLSchema,
  { facts, operation: { sentInputs } }: ReadOperation,
): ReadonlySet<string> {
  const used = new Set([...facts.resolvedFields, ...facts.written]);
  for (const name of facts.returnedEnums) {
    for (const member of membersOf(schema, name)) {
      used.add(member);
    }
  }
  for (const name of facts.variableTypes) {
    for (const member of membersOf(schema, name)) {
      if (sentInputs?.has(member) ?? true) {
        used.add(member);
      }
    }
  }
  return used;
}

function membersOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name);
  if (isEnumType(type)) {
    return type.getValues().map((value) => `${name}.${value.name}`);
  }
  return isInputObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
}
