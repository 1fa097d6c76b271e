import type { ExecutionResult, PreparedOperation, RunParameters } from '@meridian/executor';
import { createExecutor } from '@meridian/executor';
import type { Graph } from '../../src/changes/graph.ts';
import { isRecord } from '@meridian/settings/values';
import type { DocumentNode, GraphQLSchema, GraphQLType } from 'graphql';
import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  execute,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  parse,
  typeFromAST,
  validate,
} from 'graphql';

import { createStubTransport, dataHeader, fullData } from './stub-subgraphs.ts';

/** The data that each operation runs over. */
const variants = [fullData, 'one', 'two', 'three', 'four', 'five'];

/**
 * Runs the operations of clients of the graph before over the graph after, with generated data.
 *
 * @returns what a client would meet, by the operation's name: nothing for an operation that still serves it
 */
export async function faultsOverGraph(
  before: Graph,
  after: Graph,
  operations: readonly { readonly name: string; readonly text: string }[],
): Promise<ReadonlyMap<string, string>> {
  const executor = createExecutor({ supergraph: after.supergraph, transport: createStubTransport(after) });
  const faults = new Map<string, string>();
  for (const { name, text } of operations) {
    const document = parse(text);
    const [invalid] = validate(after.supergraph.apiSchema, document);
    const fault =
      invalid?.message ?? (await faultOfRuns(before, after, document, executor.prepare({ document })));
    if (fault !== undefined) {
      faults.set(name, fault);
    }
  }
  return faults;
}

async function faultOfRuns(
  { supergraph: { apiSchema: known } }: Graph,
  { supergraph: { apiSchema: changed } }: Graph,
  document: DocumentNode,
  prepared: PreparedOperation,
): Promise<string | undefined> {
  const declared = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  for (const data of variants) {
    const variables = Object.fromEntries(
      declared.flatMap(({ variable, type, defaultValue }) => {
        const inputType = typeFromAST(known, type);
        const isLeftOut = data !== fullData && (defaultValue !== undefined || !isNonNullType(inputType));
        return isLeftOut ? [] : [[variable.name.value, inputOf(inputType, data === fullData)]];
      }),
    );
    const { errors: rejected } = getVariableValues(changed, declared, variables);
    if (rejected?.[0] !== undefined) {
      return rejected[0].message;
    }
    const { data: text, errors } = await resultOf(prepared, document, {
      variables,
      headersFor: () => ({ [dataHeader]: data }),
      signal: new AbortController().signal,
    });
    if (errors[0] !== undefined) {
      return JSON.stringify(errors[0]);
    }
    const fault = responseFault(known, document, variables, text);
    if (fault !== undefined) {
      return `${fault}, in ${text}`;
    }
  }
  return undefined;
}

/** The result of an operation; of a subscription, the result of its first event. */
async function resultOf(
  prepared: PreparedOperation,
  { definitions }: DocumentNode,
  run: RunParameters,
): Promise<ExecutionResult> {
  const isSubscription = definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.operation === OperationTypeNode.SUBSCRIPTION,
  );
  if (!isSubscription) {
    return prepared.run(run);
  }
  for await (const { result } of await prepared.subscribe(run)) {
    if (result !== undefined) {
      return result;
    }
  }
  throw new Error('the stream has no event');
}

/** A value of an input type, which the client knows. */
function inputOf(type: GraphQLType | undefined, hasOptional: boolean): unknown {
  if (isNonNullType(type)) {
    return inputOf(type.ofType, hasOptional);
  }
  if (isListType(type)) {
    return [inputOf(type.ofType, hasOptional)];
  }
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => hasOptional || isRequiredInputField(field))
        .map((field) => [field.name, inputOf(field.type, hasOptional)]),
    );
  }
  if (isEnumType(type)) {
    return type.getValues()[0]?.name;
  }
  switch (String(type)) {
    case 'Int':
      return 3;
    case 'Float':
      return 3.5;
    case 'Boolean':
      return true;
    default:
      return 'i3';
  }
}

/**
 * The way in which a response does not fit the schema that the client knows. graphql-js judges: it completes the
 * response as the data of that schema. It refuses null, enum values and lists where the schema has none, and converts
 * scalars: the response is right where it comes out as it went in, with its keys in order.
 */
function responseFault(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>>,
  text: string,
): string | undefined {
  const result = execute({
    schema,
    document,
    rootValue: JSON.parse(text) as unknown,
    variableValues,
    fieldResolver: (source, _arguments, _context, { path, fieldName }) => {
      if (!isRecord(source) || !Object.hasOwn(source, path.key)) {
        throw new GraphQLError(`${fieldName} is missing`);
      }
      return source[path.key];
    },
  });
  if (result instanceof Promise) {
    throw new TypeError('No resolver here is asynchronous');
  }
  const completed = JSON.stringify(result.data);
  return result.errors?.[0]?.message ?? (completed === text ? undefined : `the client expects ${completed}`);
}
