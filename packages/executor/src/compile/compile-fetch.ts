import type { GraphQLSchema } from 'graphql';

import type { FetchStep } from '../plan/plan.ts';
import { answerSelections } from './answer-selections.ts';
import type { ObjectReader } from './object-reader.ts';
import { createObjectReader } from './object-reader.ts';
import type { WriteRepresentation } from './representation-writer.ts';
import { createRepresentationWriter } from './representation-writer.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A fetch with everything done that does not depend on the run. */
export interface CompiledFetch {
  readonly kind: 'fetch';
  readonly step: FetchStep;
  /** Absent for a fetch of root fields. */
  readonly writeRepresentation: WriteRepresentation | undefined;
  /** For the data of the answer, or each entity of it. */
  readonly reader: ObjectReader;
  /**
   * The request as JSON.
   *
   * @param representations without the brackets around them
   */
  writeBody(variables: Variables, representations: string | undefined): string;
}

export function compileFetch(schema: GraphQLSchema, step: FetchStep): CompiledFetch {
  const { requires, typenameRewrites, renames } = step;
  return {
    kind: 'fetch',
    step,
    writeRepresentation: requires && createRepresentationWriter(schema, requires, typenameRewrites),
    reader: createObjectReader(schema, answerSelections(step), {
      staticType: requires === undefined ? rootTypeName(schema, step) : undefined,
      renames,
    }),
    writeBody: createBodyWriter(step),
  };
}

function rootTypeName(schema: GraphQLSchema, { operationKind }: FetchStep): string | undefined {
  return (operationKind === 'query' ? schema.getQueryType() : schema.getMutationType())?.name;
}

function createBodyWriter({ text, operationName, variables }: FetchStep): CompiledFetch['writeBody'] {
  const name = operationName === undefined ? '' : `,"operationName":${JSON.stringify(operationName)}`;
  const head = `{"query":${JSON.stringify(text)}${name}`;
  const keys = variables.map(({ name: variable, clientName }) => ({
    clientName,
    keyText: `${JSON.stringify(variable)}:`,
  }));
  return (values, representations) => {
    const members = keys.flatMap(({ clientName, keyText }) => {
      const value = Object.hasOwn(values, clientName) ? JSON.stringify(values[clientName]) : undefined;
      return value === undefined ? [] : [keyText + value];
    });
    if (representations !== undefined) {
      members.push(`"representations":[${representations}]`);
    }
    return members.length === 0 ? `${head}}` : `${head},"variables":{${members.join(',')}}}`;
  };
}
