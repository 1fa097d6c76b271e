import type { FetchStep } from '../plan/plan.ts';
import { responseSelections } from '../selections/response-fields.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { findRootType } from '../supergraph/schema-types.ts';
import type { ObjectReader } from './object-reader.ts';
import { createObjectReader } from './object-reader.ts';
import type { WriteRepresentation } from './representation-writer.ts';
import { createRepresentationWriter } from './representation-writer.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A fetch whose run-independent work is done. */
export interface CompiledFetch {
  readonly kind: 'fetch';
  readonly step: FetchStep;
  /** True when several fetches of a run may be equal, so that one request is enough. */
  readonly mayRecur: boolean;
  /** True when it may become one request with others that are sent at the same time. */
  readonly mayMerge: boolean;
  /** Absent for a fetch of root fields. */
  readonly writeRepresentation: WriteRepresentation | undefined;
  /** For the data of the response, or for each of its entities. */
  readonly reader: ObjectReader;
  /**
   * The request as JSON.
   *
   * @param representations without the brackets around them
   * @param inContext the values of the context variables, without the braces around them
   */
  writeBody(variables: Variables, representations: string | undefined, inContext?: string): string;
}

export function compileFetch(
  supergraph: Pick<Supergraph, 'schema' | 'subgraphTypes'>,
  step: FetchStep,
  { mayRecur, mayMerge }: Pick<CompiledFetch, 'mayRecur' | 'mayMerge'>,
): CompiledFetch {
  const { schema } = supergraph;
  const { requires, renames } = step;
  return {
    kind: 'fetch',
    step,
    mayRecur,
    mayMerge,
    writeRepresentation: requires && createRepresentationWriter(supergraph, step),
    reader: createObjectReader(schema, responseSelections(step), {
      staticType: requires === undefined ? findRootType(schema, step.operationKind)?.name : undefined,
      renames,
    }),
    writeBody: createBodyWriter(step),
  };
}

/** The fetch with values for its context variables. */
export function withContextValues(fetch: CompiledFetch, inContext: string): CompiledFetch {
  return {
    ...fetch,
    writeBody: (variables, representations) => fetch.writeBody(variables, representations, inContext),
  };
}

export function createBodyWriter({
  text,
  operationName,
  variables,
}: Pick<FetchStep, 'text' | 'operationName' | 'variables'>): CompiledFetch['writeBody'] {
  const name = operationName === undefined ? '' : `,"operationName":${JSON.stringify(operationName)}`;
  const head = `{"query":${JSON.stringify(text)}${name}`;
  // The same text each time: what writes requests knows it again at once.
  const alone = `${head}}`;
  const keys = variables.map(({ name: variable, clientName }) => ({
    clientName,
    keyText: `${JSON.stringify(variable)}:`,
  }));
  return (values, representations, inContext) => {
    let body = head;
    let separator = ',"variables":{';
    const add = (member: string): void => {
      body += separator + member;
      separator = ',';
    };
    for (const { clientName, keyText } of keys) {
      const value = Object.hasOwn(values, clientName) ? JSON.stringify(values[clientName]) : undefined;
      if (value !== undefined) {
        add(keyText + value);
      }
    }
    if (inContext !== undefined) {
      add(inContext);
    }
    if (representations !== undefined) {
      add(`"representations":[${representations}]`);
    }
    return separator === ',' ? `${body}}}` : alone;
  };
}
