import type { DocumentNode, FieldNode, GraphQLSchema, TypeInfo, TypeNode, ValueNode } from 'graphql';
import {
  Kind,
  TypeInfo as GraphQLTypeInfo,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { reachableInputs } from './reachable-inputs.ts';

/** The parts of a schema that an operation uses, by coordinates. */
export interface OperationFacts {
  /** `Type.field`, for the type that it is selected on. */
  readonly fields: ReadonlySet<string>;
  /** The same, and the fields of the possible types of an interface, which are resolved in its place. */
  readonly resolvedFields: ReadonlySet<string>;
  /** Types that it selects on, that fields return, and that conditions and variables name. */
  readonly types: ReadonlySet<string>;
  /** The abstract types that fields return: a new member may be among them. */
  readonly abstractTypes: ReadonlySet<string>;
  /** Enums that fields return. */
  readonly returnedEnums: ReadonlySet<string>;
  /** Arguments, input fields and enum values that are written in it. */
  readonly written: ReadonlySet<string>;
  /** Arguments and input fields that it leaves out, or passes a variable to that may be left out. */
  readonly omitted: ReadonlySet<string>;
  /** Input objects and enums that variables may hold, at any depth. */
  readonly variableTypes: ReadonlySet<string>;
  /** Directives that it uses. */
  readonly directives: ReadonlySet<string>;
}

type MutableFacts = { readonly [Name in keyof OperationFacts]: Set<string> };

/** Reads what an operation uses of the schema that it was written for. */
export function readFacts(schema: GraphQLSchema, document: DocumentNode): OperationFacts {
  const facts = noFacts();
  const typeInfo = new GraphQLTypeInfo(schema);
  const optional = optionalVariables(document);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field: (node) => addField(facts, node, { typeInfo, schema, optional }),
      NamedType: ({ name }) => void facts.types.add(name.value),
      Directive: ({ name }) => void facts.directives.add(`@${name.value}`),
      EnumValue({ value }) {
        const type = getNamedType(typeInfo.getInputType());
        if (type) {
          facts.written.add(`${type.name}.${value}`);
        }
      },
      ObjectValue({ fields }) {
        const type = getNamedType(typeInfo.getInputType());
        if (isInputObjectType(type)) {
          facts.types.add(type.name);
          const given = new Set(fields.map(({ name }) => name.value));
          for (const name of Object.keys(type.getFields())) {
            facts[given.has(name) ? 'written' : 'omitted'].add(`${type.name}.${name}`);
          }
        }
      },
      VariableDefinition({ type }) {
        const inner = namedTypeOf(type);
        for (const name of reachableInputs(schema, inner)) {
          facts.variableTypes.add(name);
        }
      },
    }),
  );
  return facts;
}

/** Derives facts from the recorded fields of an operation whose text is unknown. */
export function factsOfFields(fields: readonly string[]): OperationFacts {
  const facts = noFacts();
  for (const field of fields) {
    facts.fields.add(field);
    facts.resolvedFields.add(field);
    facts.types.add(field.slice(0, field.indexOf('.')));
  }
  return facts;
}

function noFacts(): MutableFacts {
  return {
    fields: new Set(),
    resolvedFields: new Set(),
    types: new Set(),
    abstractTypes: new Set(),
    returnedEnums: new Set(),
    written: new Set(),
    omitted: new Set(),
    variableTypes: new Set(),
    directives: new Set(),
  };
}

interface FieldSurroundings {
  readonly typeInfo: TypeInfo;
  readonly schema: GraphQLSchema;
  readonly optional: ReadonlySet<string>;
}

function addField(
  facts: MutableFacts,
  node: FieldNode,
  { typeInfo, schema, optional }: FieldSurroundings,
): void {
  const parent = typeInfo.getParentType();
  const definition = typeInfo.getFieldDef();
  if (!parent || !definition || definition.name.startsWith('__')) {
    return;
  }
  const coordinate = `${parent.name}.${definition.name}`;
  const returned = getNamedType(definition.type);
  facts.fields.add(coordinate);
  facts.resolvedFields.add(coordinate);
  facts.types.add(parent.name);
  facts.types.add(returned.name);
  for (const type of isAbstractType(parent) ? schema.getPossibleTypes(parent) : []) {
    facts.resolvedFields.add(`${type.name}.${definition.name}`);
  }
  if (isAbstractType(returned)) {
    facts.abstractTypes.add(returned.name);
    for (const type of schema.getPossibleTypes(returned)) {
      facts.types.add(type.name);
    }
  }
  if (isEnumType(returned)) {
    facts.returnedEnums.add(returned.name);
  }
  const given = new Map(node.arguments?.map(({ name, value }) => [name.value, value]));
  for (const { name } of definition.args) {
    const value = given.get(name);
    const argument = `${coordinate}(${name}:)`;
    if (value !== undefined) {
      facts.written.add(argument);
    }
    if (value === undefined || mayBeOmitted(value, optional)) {
      facts.omitted.add(argument);
    }
  }
}

function mayBeOmitted(value: ValueNode, optional: ReadonlySet<string>): boolean {
  return value.kind === Kind.VARIABLE && optional.has(value.name.value);
}

/** Variables that a client need not send, and that have no default of the operation's own. */
function optionalVariables({ definitions }: DocumentNode): ReadonlySet<string> {
  return new Set(
    definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? (definition.variableDefinitions ?? [])
            .filter(
              ({ type, defaultValue }) => type.kind !== Kind.NON_NULL_TYPE && defaultValue === undefined,
            )
            .map(({ variable }) => variable.name.value)
        : [],
    ),
  );
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
