import type {
  ConstValueNode,
  DefinitionNode,
  DirectiveDefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  NameNode,
  ObjectTypeDefinitionNode,
  TypeDefinitionNode,
  TypeNode,
} from 'graphql';
import { Kind, isTypeDefinitionNode, parse, parseConstValue, visit } from 'graphql';

/** A schema with a change of one element. */
export interface SingleChange {
  /** Names element and change in the message of a test that fails. */
  readonly what: string;
  readonly document: DocumentNode;
}

/** Every change of a single element of a schema. Some of them leave no valid schema. */
export function* singleChanges(document: DocumentNode): Generator<SingleChange> {
  const names = document.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value);
  for (const definition of document.definitions) {
    for (const [what, edited] of editsOf(definition, document)) {
      yield {
        what,
        document: {
          ...document,
          definitions: document.definitions.flatMap((other) => (other === definition ? edited : [other])),
        },
      };
    }
  }
  for (const name of names) {
    yield { what: `${name} is renamed`, document: withTypeRenamed(document, name) };
  }
}

/** A schema with both changes; undefined where one of them is of a part of the other's element. */
export function withBoth(one: SingleChange, { what }: SingleChange): DocumentNode | undefined {
  const [parts, others] = [elementOf(one.what), elementOf(what)];
  const isApart = parts.some(
    (part, index) => part !== undefined && others[index] !== undefined && part !== others[index],
  );
  return isApart ? singleChanges(one.document).find((change) => change.what === what)?.document : undefined;
}

/** `['Query', 'place', 'id']` of a change of `Query.place(id:)`. */
function elementOf(what: string): readonly (string | undefined)[] {
  return /^(@?\w+)(?:\.(\w+))?(?:\((\w+))?/u.exec(what)?.slice(1) ?? [];
}

type Edit<Node> = readonly [what: string, edited: readonly Node[]];

function* editsOf(definition: DefinitionNode, document: DocumentNode): Generator<Edit<DefinitionNode>> {
  if (!isTypeDefinitionNode(definition) && definition.kind !== Kind.DIRECTIVE_DEFINITION) {
    return;
  }
  const sign = definition.kind === Kind.DIRECTIVE_DEFINITION ? '@' : '';
  const at = `${sign}${definition.name.value}`;
  yield [`${at} is removed`, []];
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      for (const [what, fields] of editsOfFields(definition.fields ?? [], at, document)) {
        yield [what, [{ ...definition, fields }]];
      }
      for (const [what, interfaces] of removals(definition.interfaces ?? [], `${at} implements `)) {
        yield [what, [{ ...definition, interfaces }]];
      }
      if (definition.kind === Kind.INTERFACE_TYPE_DEFINITION) {
        yield [`${at} has another implementor`, [definition, implementorOf(definition)]];
      }
      break;
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      for (const [what, fields] of editsOfInputs(
        definition.fields ?? [],
        (name) => `${at}.${name}`,
        document,
      )) {
        yield [what, [{ ...definition, fields }]];
      }
      break;
    case Kind.ENUM_TYPE_DEFINITION: {
      const values = definition.values ?? [];
      for (const [what, edited] of [...removals(values, `${at}.`), ...renamings(values, `${at}.`)]) {
        yield [what, [{ ...definition, values: edited }]];
      }
      yield [
        `${at}.EXTRA is added`,
        [
          {
            ...definition,
            values: [...values, { kind: Kind.ENUM_VALUE_DEFINITION, name: nameNode('EXTRA') }],
          },
        ],
      ];
      break;
    }
    case Kind.UNION_TYPE_DEFINITION: {
      const types = definition.types ?? [];
      for (const [what, edited] of removals(types, `${at} = `)) {
        yield [what, [{ ...definition, types: edited }]];
      }
      const more = objectsOf(document).find(({ name }) =>
        types.every((type) => type.name.value !== name.value),
      );
      if (more !== undefined) {
        const added = { kind: Kind.NAMED_TYPE, name: more.name } as const;
        yield [`${at} has another member`, [{ ...definition, types: [...types, added] }]];
      }
      break;
    }
    case Kind.DIRECTIVE_DEFINITION:
      yield* editsOfDirective(definition, at, document);
      break;
    case Kind.SCALAR_TYPE_DEFINITION:
      break;
    // No default
  }
}

function* editsOfDirective(
  definition: DirectiveDefinitionNode,
  at: string,
  document: DocumentNode,
): Generator<Edit<DefinitionNode>> {
  for (const [what, edited] of editsOfInputs(
    definition.arguments ?? [],
    (name) => `${at}(${name}:)`,
    document,
  )) {
    yield [what, [{ ...definition, arguments: edited }]];
  }
  for (const location of definition.locations) {
    const locations = definition.locations.filter((other) => other !== location);
    yield [`${at} on ${location.value} is removed`, [{ ...definition, locations }]];
  }
  yield [`${at} is repeatable, or no longer`, [{ ...definition, repeatable: !definition.repeatable }]];
}

function* editsOfFields(
  fields: readonly FieldDefinitionNode[],
  at: string,
  document: DocumentNode,
): Generator<Edit<FieldDefinitionNode>> {
  yield* removals(fields, `${at}.`);
  yield* renamings(fields, `${at}.`);
  for (const field of fields) {
    const coordinate = `${at}.${field.name.value}`;
    for (const [what, type] of otherTypes(field.type)) {
      yield [`${coordinate} ${what}`, replaced(fields, field, { ...field, type })];
    }
    const inputs = editsOfInputs(field.arguments ?? [], (name) => `${coordinate}(${name}:)`, document);
    for (const [what, edited] of inputs) {
      yield [what, replaced(fields, field, { ...field, arguments: edited })];
    }
  }
}

function* editsOfInputs(
  inputs: readonly InputValueDefinitionNode[],
  coordinateOf: (name: string) => string,
  document: DocumentNode,
): Generator<Edit<InputValueDefinitionNode>> {
  yield* removals(inputs, coordinateOf(''));
  yield* renamings(inputs, coordinateOf(''));
  for (const text of ['extra: Int', 'extra: Int!', 'extra: Int! = 1']) {
    yield [`${coordinateOf(text)} is added`, [...inputs, ...inputsIn(text)]];
  }
  for (const input of inputs) {
    const { defaultValue: _without, ...required } = input;
    const defaultValue = input.defaultValue ?? valueOf(input.type, document);
    const edits: readonly (readonly [string, InputValueDefinitionNode])[] = [
      ...otherTypes(input.type).map(([what, type]) => [what, { ...input, type }] as const),
      ...(input.defaultValue === undefined ? [] : [['has no default', required] as const]),
      ...(defaultValue === undefined
        ? []
        : [
            ['has a default', { ...input, defaultValue }] as const,
            [
              'is never null and has a default',
              { ...input, type: nonNull(input.type), defaultValue },
            ] as const,
          ]),
    ];
    for (const [what, edited] of edits) {
      yield [`${coordinateOf(input.name.value)} ${what}`, replaced(inputs, input, edited)];
    }
  }
}

function* removals<Node extends { readonly name: NameNode }>(
  nodes: readonly Node[],
  at: string,
): Generator<Edit<Node>> {
  for (const node of nodes) {
    yield [`${at}${node.name.value} is removed`, nodes.filter((other) => other !== node)];
  }
}

function* renamings<Node extends { readonly name: NameNode }>(
  nodes: readonly Node[],
  at: string,
): Generator<Edit<Node>> {
  for (const node of nodes) {
    const name = nameNode(`${node.name.value}Renamed`);
    yield [`${at}${node.name.value} is renamed`, replaced(nodes, node, { ...node, name })];
  }
}

function otherTypes(type: TypeNode): readonly (readonly [what: string, type: TypeNode])[] {
  const isNonNull = type.kind === Kind.NON_NULL_TYPE;
  const inner = isNonNull ? type.type : type;
  const wrapped = (other: Exclude<TypeNode, { kind: Kind.NON_NULL_TYPE }>): TypeNode =>
    isNonNull ? { kind: Kind.NON_NULL_TYPE, type: other } : other;
  const ofItems: readonly (readonly [string, TypeNode])[] =
    inner.kind === Kind.LIST_TYPE
      ? otherTypes(inner.type).map(([what, item]) => [
          `with items that ${what}`,
          wrapped({ kind: Kind.LIST_TYPE, type: item }),
        ])
      : [['is another scalar', wrapped({ kind: Kind.NAMED_TYPE, name: nameNode('Float') })]];
  return [
    isNonNull ? ['may be null', inner] : ['is never null', { kind: Kind.NON_NULL_TYPE, type: inner }],
    ['is a list', wrapped({ kind: Kind.LIST_TYPE, type })],
    ...(inner.kind === Kind.LIST_TYPE ? [['is a single value', inner.type] as const] : []),
    ...ofItems,
  ];
}

function nonNull(type: TypeNode): TypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type : { kind: Kind.NON_NULL_TYPE, type };
}

/** A value for a default; undefined for an input object and a scalar of the schema's own. */
function valueOf(type: TypeNode, document: DocumentNode): ConstValueNode | undefined {
  if (type.kind === Kind.NON_NULL_TYPE) {
    return valueOf(type.type, document);
  }
  if (type.kind === Kind.LIST_TYPE) {
    return parseConstValue('[]');
  }
  const name = type.name.value;
  const definition = document.definitions.find(
    (other) => other.kind === Kind.ENUM_TYPE_DEFINITION && other.name.value === name,
  );
  const first =
    definition?.kind === Kind.ENUM_TYPE_DEFINITION ? definition.values?.[0]?.name.value : undefined;
  const text = first ?? { Int: '1', Float: '1.5', String: '"a"', ID: '"a"', Boolean: 'true' }[name];
  return text === undefined ? undefined : parseConstValue(text);
}

function withTypeRenamed(document: DocumentNode, name: string): DocumentNode {
  const rename = <Node extends { readonly name: NameNode }>(node: Node): Node | undefined =>
    node.name.value === name ? { ...node, name: nameNode(`${name}Renamed`) } : undefined;
  const edited: DocumentNode = visit(document, { NamedType: rename });
  return {
    ...edited,
    definitions: edited.definitions.map((definition) =>
      isTypeDefinitionNode(definition) ? (rename<TypeDefinitionNode>(definition) ?? definition) : definition,
    ),
  };
}

function implementorOf({
  name,
  interfaces = [],
  fields = [],
}: Extract<DefinitionNode, { kind: Kind.INTERFACE_TYPE_DEFINITION }>): ObjectTypeDefinitionNode {
  return {
    kind: Kind.OBJECT_TYPE_DEFINITION,
    name: nameNode(`Another${name.value}`),
    interfaces: [...interfaces, { kind: Kind.NAMED_TYPE, name }],
    fields,
  };
}

function objectsOf({ definitions }: DocumentNode): readonly ObjectTypeDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);
}

function replaced<Node>(nodes: readonly Node[], node: Node, edited: Node): readonly Node[] {
  return nodes.map((other) => (other === node ? edited : other));
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

function inputsIn(text: string): readonly InputValueDefinitionNode[] {
  const [definition] = parse(`input I { ${text} }`).definitions;
  return definition?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? (definition.fields ?? []) : [];
}
