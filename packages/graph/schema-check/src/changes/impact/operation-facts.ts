import { namedTypeOf } from '@meridian/composition/sdl/elements';
import type {
  ArgumentNode,
  DocumentNode,
  FieldNode,
  GraphQLArgument,
  GraphQLSchema,
  TypeInfo,
  ValueNode,
} from 'graphql';
import {
  Kind,
  TypeInfo as GraphQLTypeInfo,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The parts of a schema that an operation uses, by coordinates. */
class Facts {
  /** `Type.field`, for the type that it is selected on. */
  readonly fields = new Set<string>();
  /** The same, and the fields of the possible types of an interface, which are resolved in its place. */
  readonly resolvedFields = new Set<string>();
  /** Types that it selects on, that fields return, that conditions and variables name, and that written values are of. */
  readonly types = new Set<string>();
  /** The abstract types that fields return and conditions name: other members may be among them. */
  readonly abstractTypes = new Set<string>();
  /** The object types that fields return by an interface. */
  readonly implementors = new Set<string>();
  /** Enums that fields return. */
  readonly returnedEnums = new Set<string>();
  /** Arguments, input fields and enum values that are written in it. */
  readonly written = new Set<string>();
  /** Arguments and input fields that it leaves out, or passes a variable to that may be left out. */
  readonly omitted = new Set<string>();
  /** Arguments and input fields that it passes a variable to, at any depth of lists, which may be null. */
  readonly nullable = new Set<string>();
  /** Input objects and enums that variables may hold, at any depth. */
  readonly variableTypes = new Set<string>();
  /** Directives that it uses. */
  readonly directives = new Set<string>();
}

export type OperationFacts = { readonly [Name in keyof Facts]: ReadonlySet<string> };

/** Reads what an operation uses of the schema that it was written for. */
export function readFacts(schema: GraphQLSchema, document: DocumentNode): OperationFacts {
  const facts = new Facts();
  const typeInfo = new GraphQLTypeInfo(schema);
  const variables = variablesIn(document);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field: (node) => addField(facts, node, { typeInfo, schema, variables }),
      NamedType({ name }) {
        facts.types.add(name.value);
        if (isAbstractType(schema.getType(name.value))) {
          facts.abstractTypes.add(name.value);
        }
      },
      Directive({ name, arguments: nodes }) {
        const coordinate = `@${name.value}`;
        facts.directives.add(coordinate);
        addArguments(facts, coordinate, typeInfo.getDirective()?.args ?? [], nodes, variables);
      },
      EnumValue({ value }) {
        const type = getNamedType(typeInfo.getInputType());
        if (type) {
          facts.types.add(type.name);
          facts.written.add(`${type.name}.${value}`);
        }
      },
      ObjectValue({ fields }) {
        const type = getNamedType(typeInfo.getInputType());
        if (isInputObjectType(type)) {
          facts.types.add(type.name);
          const given = new Map(fields.map(({ name, value }) => [name.value, value]));
          for (const name of Object.keys(type.getFields())) {
            addInput(facts, `${type.name}.${name}`, given.get(name), variables);
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
  const facts = new Facts();
  for (const field of fields) {
    facts.fields.add(field);
    facts.resolvedFields.add(field);
    facts.types.add(field.slice(0, field.indexOf('.')));
  }
  return facts;
}

interface FieldSurroundings {
  readonly typeInfo: TypeInfo;
  readonly schema: GraphQLSchema;
  readonly variables: Variables;
}

function addField(facts: Facts, node: FieldNode, { typeInfo, schema, variables }: FieldSurroundings): void {
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
      if (isInterfaceType(returned)) {
        facts.implementors.add(type.name);
      }
    }
  }
  if (isEnumType(returned)) {
    facts.returnedEnums.add(returned.name);
  }
  addArguments(facts, coordinate, definition.args, node.arguments, variables);
}

function addArguments(
  facts: Facts,
  coordinate: string,
  definitions: readonly GraphQLArgument[],
  nodes: readonly ArgumentNode[] = [],
  variables: Variables,
): void {
  const given = new Map(nodes.map(({ name, value }) => [name.value, value]));
  for (const { name } of definitions) {
    addInput(facts, `${coordinate}(${name}:)`, given.get(name), variables);
  }
}

/** @param value undefined where it is left out */
function addInput(
  facts: Facts,
  coordinate: string,
  value: ValueNode | undefined,
  { optional, nullable }: Variables,
): void {
  if (value !== undefined) {
    facts.written.add(coordinate);
  }
  if (value === undefined || (value.kind === Kind.VARIABLE && optional.has(value.name.value))) {
    facts.omitted.add(coordinate);
  }
  if (value !== undefined && holdsVariable(value, nullable)) {
    facts.nullable.add(coordinate);
  }
}

/** True for one of the variables, and for a list with one of them at any depth. */
function holdsVariable(value: ValueNode, names: ReadonlySet<string>): boolean {
  return value.kind === Kind.LIST
    ? value.values.some((item) => holdsVariable(item, names))
    : value.kind === Kind.VARIABLE && names.has(value.name.value);
}

interface Variables {
  /** Those that may be null. */
  readonly nullable: ReadonlySet<string>;
  /** The same, but for those that have a default of the operation's own: a client need not send them. */
  readonly optional: ReadonlySet<string>;
}

function variablesIn({ definitions }: DocumentNode): Variables {
  const nullable = definitions
    .flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
    )
    .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE);
  const optional = nullable.filter(({ defaultValue }) => defaultValue === undefined);
  const names = (nodes: typeof nullable): ReadonlySet<string> =>
    new Set(nodes.map(({ variable }) => variable.name.value));
  return { nullable: names(nullable), optional: names(optional) };
}

const known = new WeakMap<GraphQLSchema, Map<string, readonly string[]>>();

/** The input objects and enums that a value of an input type may hold, the type itself included. */
export function reachableInputs(schema: GraphQLSchema, typeName: string): readonly string[] {
  const ofSchema = known.get(schema) ?? new Map<string, readonly string[]>();
  known.set(schema, ofSchema);
  const found = ofSchema.get(typeName) ?? findReachable(schema, typeName);
  ofSchema.set(typeName, found);
  return found;
}

function findReachable(schema: GraphQLSchema, typeName: string): readonly string[] {
  const reached = new Set<string>();
  const open = [typeName];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const type = schema.getType(name);
    if (reached.has(name) || !(isInputObjectType(type) || isEnumType(type))) {
      continue;
    }
    reached.add(name);
    if (isInputObjectType(type)) {
      open.push(...Object.values(type.getFields()).map((field) => getNamedType(field.type).name));
    }
  }
  return [...reached];
}
