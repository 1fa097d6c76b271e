import type {
  DirectiveNode,
  DocumentNode,
  FieldNode,
  GraphQLArgument,
  GraphQLInputType,
  GraphQLSchema,
  VariableDefinitionNode,
} from 'graphql';
import {
  GraphQLError,
  Kind,
  TypeInfo,
  coerceInputValue,
  getArgumentValues,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The values that a client sends as the variables of an operation. */
export interface VariableUse {
  readonly definitions: readonly VariableDefinitionNode[];
  /** Values for each variable, the one that has most in it first. */
  readonly samples: ReadonlyMap<string, readonly unknown[]>;
  /** Sets of variables: full ones, and those in which one is null or absent. */
  readonly sets: readonly Readonly<Record<string, unknown>>[];
  /** The fields and directives that get a variable. */
  readonly receivers: readonly Receiver[];
}

interface Receiver {
  readonly node: FieldNode | DirectiveNode;
  /** The type of a field; undefined for a directive. */
  readonly parent: string | undefined;
}

/** Reads what clients of an operation may send over the schema that it was written for. */
export function readVariableUse(schema: GraphQLSchema, document: DocumentNode): VariableUse {
  const definitions = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  const declared = definitions.flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    const isOptional = defaultValue !== undefined || node.kind !== Kind.NON_NULL_TYPE;
    return isInputType(type) ? [{ name: variable.name.value, samples: samplesOf(type, 0), isOptional }] : [];
  });
  const full = Object.fromEntries(declared.map(({ name, samples }) => [name, samples[0]]));
  const use = {
    definitions,
    samples: new Map(declared.map(({ name, samples }) => [name, samples])),
    receivers: receiversIn(schema, document),
    sets: [
      full,
      ...declared.flatMap(({ name, samples, isOptional }) => {
        const { [name]: _left, ...others } = full;
        const isNullable = samples.includes(null);
        return (isOptional ? [others] : []).concat(isNullable ? [{ ...full, [name]: null }] : []);
      }),
    ],
  };
  return { ...use, sets: use.sets.filter((set) => setRejection(schema, use, set) === undefined) };
}

/** The first error by which graphql-js refuses what clients send: as a variable, or where an argument gets it. */
export function rejectionOf(schema: GraphQLSchema, use: VariableUse): string | undefined {
  for (const { variable, type: node } of use.definitions) {
    const type = typeFromAST(schema, node);
    for (const sample of use.samples.get(variable.name.value) ?? []) {
      let rejection: string | undefined;
      if (isInputType(type)) {
        coerceInputValue(sample, type, (_path, _value, { message }) => {
          rejection = message;
        });
      }
      if (rejection !== undefined) {
        return rejection;
      }
    }
  }
  return use.sets.map((set) => setRejection(schema, use, set)).find((rejection) => rejection !== undefined);
}

function setRejection(
  schema: GraphQLSchema,
  { definitions, receivers }: Pick<VariableUse, 'definitions' | 'receivers'>,
  set: Readonly<Record<string, unknown>>,
): string | undefined {
  const { errors, coerced } = getVariableValues(schema, definitions, set);
  if (errors !== undefined) {
    return errors[0]?.message;
  }
  for (const receiver of receivers) {
    const args = argumentsOf(schema, receiver);
    try {
      getArgumentValues({ args } as Parameters<typeof getArgumentValues>[0], receiver.node, coerced);
    } catch (error) {
      if (error instanceof GraphQLError) {
        return error.message;
      }
      throw error;
    }
  }
  return undefined;
}

function argumentsOf(schema: GraphQLSchema, { node, parent }: Receiver): readonly GraphQLArgument[] {
  if (parent === undefined) {
    return schema.getDirective(node.name.value)?.args ?? [];
  }
  const type = schema.getType(parent);
  return isObjectType(type) || isInterfaceType(type) ? (type.getFields()[node.name.value]?.args ?? []) : [];
}

function receiversIn(schema: GraphQLSchema, document: DocumentNode): readonly Receiver[] {
  const typeInfo = new TypeInfo(schema);
  const receivers: Receiver[] = [];
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field: (node) => add(node, typeInfo.getParentType()?.name),
      Directive: (node) => add(node, undefined),
    }),
  );
  return receivers;

  function add(node: FieldNode | DirectiveNode, parent: string | undefined): void {
    let hasVariable = false;
    for (const argument of node.arguments ?? []) {
      visit(argument, {
        Variable() {
          hasVariable = true;
        },
      });
    }
    if (hasVariable) {
      receivers.push({ node, parent });
    }
  }
}

/** The deepest input object that a sample has optional fields of. */
const maxDepth = 2;

function samplesOf(type: GraphQLInputType, depth: number): readonly unknown[] {
  if (isNonNullType(type)) {
    return samplesOf(type.ofType, depth).filter((value) => value !== null);
  }
  if (isListType(type)) {
    return [...samplesOf(type.ofType, depth).map((item) => [item]), [], null];
  }
  if (isEnumType(type)) {
    return [...type.getValues().map(({ name }) => name), null];
  }
  if (isInputObjectType(type)) {
    return [...samplesOfObject(Object.values(type.getFields()), depth), null];
  }
  return [{ Int: 3, Float: 3.5, Boolean: true }[type.name] ?? 'text', null];
}

/** An object with all its fields, and objects that differ from it in one of them. */
function samplesOfObject(
  fields: readonly {
    readonly name: string;
    readonly type: GraphQLInputType;
    readonly defaultValue: unknown;
  }[],
  depth: number,
): readonly unknown[] {
  const isRequired = ({ type, defaultValue }: (typeof fields)[number]): boolean =>
    isNonNullType(type) && defaultValue === undefined;
  const given = fields
    .filter((field) => depth < maxDepth || isRequired(field))
    .map((field) => ({
      name: field.name,
      isRequired: isRequired(field),
      samples: samplesOf(field.type, depth + 1),
    }));
  const full = Object.fromEntries(given.map(({ name, samples }) => [name, samples[0]]));
  return [
    full,
    ...given.flatMap(({ name, samples, isRequired: mustBeGiven }) => {
      const { [name]: _left, ...others } = full;
      return (mustBeGiven ? [] : [others]).concat(samples.map((value) => ({ ...full, [name]: value })));
    }),
  ];
}
