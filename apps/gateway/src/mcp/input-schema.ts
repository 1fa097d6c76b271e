import type {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLScalarType,
  GraphQLSchema,
  TypeNode,
} from 'graphql';
import {
  Kind,
  TypeInfo,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import type { CompiledOperation } from '../operation/compiled-operation.ts';

/** A schema of JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/**
 * The schema of an operation's variables. Enums and input objects are under `$defs`, where they may refer to
 * themselves. Values of custom scalars may be anything: only subgraphs know their form.
 */
export function inputSchemaOf(
  schema: GraphQLSchema,
  { definition, document, pageSizes }: Pick<CompiledOperation, 'definition' | 'document' | 'pageSizes'>,
): ObjectSchema {
  const definitions = new Map<string, JsonSchema>();
  const descriptions = describeVariables(schema, document);
  const maxima = new Map(
    pageSizes.map(({ value, max }) => [value.kind === Kind.VARIABLE ? value.name.value : '', max]),
  );
  const { variableDefinitions = [] } = definition;
  const properties = variableDefinitions.map(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = inputTypeOf(schema, node);
    const description = descriptions.get(name);
    const max = maxima.get(name);
    return [
      name,
      {
        ...schemaOf(type, definitions),
        ...(max !== undefined && { minimum: 0, maximum: max }),
        ...(description !== undefined && { description }),
        ...(defaultValue !== undefined && { default: valueFromAST(defaultValue, type) }),
      },
    ] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: variableDefinitions
      .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined)
      .map(({ variable }) => variable.name.value),
    additionalProperties: false,
    ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
  };
}

/** The operation is valid, so the type of a variable is one of the schema's input types. */
function inputTypeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType {
  const type = typeFromAST(schema, node);
  if (!isInputType(type)) {
    throw new Error('a variable without an input type');
  }
  return type;
}

/** The descriptions of the arguments that take the variables. */
function describeVariables(
  schema: GraphQLSchema,
  document: CompiledOperation['document'],
): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument({ value }) {
        const description = typeInfo.getArgument()?.description ?? undefined;
        if (value.kind === Kind.VARIABLE && description !== undefined) {
          descriptions.set(value.name.value, description);
        }
      },
    }),
  );
  return descriptions;
}

function schemaOf(type: GraphQLInputType, definitions: Map<string, JsonSchema>): JsonSchema {
  return isNonNullType(type)
    ? schemaOfNullable(type.ofType, definitions)
    : orNull(schemaOfNullable(type, definitions));
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type === 'string') {
    return { ...schema, type: [type, 'null'] };
  }
  return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function schemaOfNullable(type: GraphQLInputType, definitions: Map<string, JsonSchema>): JsonSchema {
  if (isNonNullType(type)) {
    return schemaOf(type, definitions);
  }
  if (isListType(type)) {
    return { type: 'array', items: schemaOf(type.ofType, definitions) };
  }
  if (!isEnumType(type) && !isInputObjectType(type)) {
    return schemaOfScalar(type);
  }
  if (!definitions.has(type.name)) {
    // Holds the place: the type may refer to itself.
    definitions.set(type.name, {});
    definitions.set(
      type.name,
      isEnumType(type) ? schemaOfEnum(type) : schemaOfInputObject(type, definitions),
    );
  }
  return { $ref: `#/$defs/${type.name}` };
}

const scalars: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string' },
};

function schemaOfScalar({ name, description, specifiedByURL }: GraphQLScalarType): JsonSchema {
  const known = scalars[name];
  if (known !== undefined) {
    return known;
  }
  const said = [description, specifiedByURL].filter((text) => typeof text === 'string');
  return { description: `The scalar ${name}${said.length === 0 ? '' : `: ${said.join(' ')}`}` };
}

function schemaOfEnum(type: GraphQLEnumType): JsonSchema {
  const values = type.getValues();
  const lines = [
    type.description,
    ...values.map(({ name, description }) =>
      typeof description === 'string' ? `${name}: ${description}` : undefined,
    ),
  ].filter((line) => typeof line === 'string');
  return {
    type: 'string',
    enum: values.map(({ name }) => name),
    ...(lines.length > 0 && { description: lines.join('\n') }),
  };
}

function schemaOfInputObject(type: GraphQLInputObjectType, definitions: Map<string, JsonSchema>): JsonSchema {
  const fields = Object.values(type.getFields());
  return {
    type: 'object',
    ...(typeof type.description === 'string' && { description: type.description }),
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        {
          ...schemaOf(field.type, definitions),
          ...(typeof field.description === 'string' && { description: field.description }),
          ...(field.defaultValue !== undefined && { default: field.defaultValue }),
        },
      ]),
    ),
    required: fields.filter(isRequiredInputField).map(({ name }) => name),
    additionalProperties: false,
    ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
  };
}
