// The data behind a generated federation. Each value is a function of the seed, the object, the field and its
// arguments, so that one schema over all of it and each subgraph by itself say the same of the same thing. A field with
// `@requires` is a function of what it requires too: an input that does not arrive as it should is seen in the answer.
import type {
  GraphQLFieldResolver,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLTypeResolver,
  SelectionSetNode,
} from 'graphql';
import {
  Kind,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  parse,
  valueFromASTUntyped,
} from 'graphql';

import { fieldNamesOf } from '../../src/supergraph/field-set.ts';
import { hashOf } from '@meridian/testing';
import { customValue, idOfSerial, serialOf } from './custom-scalars.ts';

/** The message of a subgraph that is asked for a field that it does not resolve. */
export const externalField = 'The field is external';

/** The parts of a federation that the data depends on. */
export interface Schema {
  /**
   * The types that a field of an abstract type can hold, by `Type.field`: those that all subgraphs know that resolve
   * it.
   */
  readonly heldTypes: ReadonlyMap<string, readonly string[]>;
  /** The interface whose implementers are one entity each, whatever a subgraph calls it. */
  readonly entityInterface: string | undefined;
  /** True while no type implements that interface: its objects are of no other type. */
  readonly isUntyped: boolean;
  /** The types of which there is one entity each. */
  readonly singletons: ReadonlySet<string>;
  /** `Type.field` of the fields that require others, and which. */
  readonly requires: ReadonlyMap<string, string>;
  /**
   * The values of fields, by `Type.field`, with the defaults of their arguments: for inputs computed without
   * a schema.
   */
  readonly inputs: ReadonlyMap<string, InputField>;
  /** `Type.field` of the fields with an argument from a context. */
  readonly contexts: ReadonlyMap<string, Context>;
}

/** Where the value of an argument comes from that no client gives. */
export interface Context {
  readonly argument: string;
  /** The selections on an object that sets the context, by its type. */
  readonly selections: ReadonlyMap<string, string>;
}

export interface InputField {
  readonly type: string;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** An object of the data. */
export interface ModelObject {
  readonly __typename: string;
  readonly id: string;
  /** As a subgraph was sent it. */
  readonly representation?: Readonly<Record<string, unknown>>;
  /** The external fields that a subgraph has of it, as the field above provides them. */
  readonly provided?: readonly string[];
  /** That it was found below, as far as this is known. */
  readonly parent?: ModelObject;
}

export interface DataModel {
  readonly resolveField: GraphQLFieldResolver<unknown, unknown>;
  readonly resolveType: GraphQLTypeResolver<unknown, unknown>;
  /** The object of a representation, in a subgraph to which its type is abstract or not. */
  entityOf(
    typeName: string,
    representation: Readonly<Record<string, unknown>>,
    options: { readonly isAbstract: boolean },
  ): ModelObject;
}

export interface DataModelOptions {
  readonly seed: string;
  readonly shape: Schema;
  /** True when some fields fail. */
  readonly hasErrors: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

const texts = [
  '',
  'plain',
  'with "quotes"',
  '\\back\\slash',
  'line\nbreak',
  '\u2028\u2029',
  '</script>',
  'ünïcödé 🎈',
  '\u0001',
];

/**
 * Fields that do not fail. `dims` is an input, or holds one. `minutes` is non-null: it takes with it the entity that
 * tells the type of an object of which another subgraph knows only the interface, and of which several services then
 * know less than one.
 */
const sound: ReadonlySet<string> = new Set(['dims', 'minutes']);

/** The types of the interface whose implementers are one entity each. */
const implementers: readonly string[] = ['Book', 'Film'];

const valueTypes: ReadonlySet<string> = new Set(['Dims', 'Tag']);

/** Where a value is found. */
interface Holder {
  readonly parent: ModelObject;
  /** The types that it can be of, where the field's type is abstract. */
  readonly members: readonly string[] | undefined;
  /** The external fields that are provided of its objects. */
  readonly provided: readonly string[];
}

const keyFields: ReadonlyMap<string, (id: string) => unknown> = new Map<string, (id: string) => unknown>([
  ['id', (id) => id],
  ['sku', (id) => `sku-${id}`],
  ['region', (id) => `region-${id.length}`],
  ['ref', (id) => ({ __typename: 'Ref', id })],
  ['code', (id) => `c-${id}`],
  ['serial', serialOf],
  ['tag', (id) => ({ __typename: 'Label', id })],
  ['one', (id) => `one-${id}`],
  ['two', (id) => `two-${id}`],
]);

export function createDataModel({ seed, shape, hasErrors }: DataModelOptions): DataModel {
  const number = (...parts: readonly string[]): number => hashOf([seed, ...parts].join('|'));
  const failing = new Set([...shape.inputs.keys()].map((place) => place.slice(place.indexOf('.') + 1)));

  /** One name for all the names of an entity. */
  const familyOf = (typeName: string): string =>
    shape.entityInterface !== undefined && implementers.includes(typeName) ? shape.entityInterface : typeName;

  /** The type of an object of the interface whose implementers are one entity. */
  const implementerOf = (id: string): string =>
    implementers[(number('type') + id.charCodeAt(0)) % implementers.length] ?? '';

  const objectOf = (typeName: string, id: string, holder?: Omit<Holder, 'members'>): ModelObject => ({
    __typename: typeName === shape.entityInterface && !shape.isUntyped ? implementerOf(id) : typeName,
    id: shape.singletons.has(typeName) ? 'only' : id,
    ...(holder !== undefined && { parent: holder.parent, provided: holder.provided }),
  });

  const resolveField: DataModel['resolveField'] = (source, args, _context, info) => {
    const object = isModelObject(source) ? source : { __typename: info.parentType.name, id: 'root' };
    const { fieldName, returnType } = info;
    const known = keyFields.get(fieldName);
    if (known !== undefined) {
      return known(object.id);
    }
    const place = placeOf(object, fieldName, { ...args, ...hiddenArgument(object, info) });
    if (directiveText(info, 'external') !== undefined && object.provided?.includes(fieldName) !== true) {
      throw new Error(externalField);
    }
    const mayFail = hasErrors && !failing.has(fieldName) && !sound.has(fieldName);
    if (mayFail && number('fails', place) % 12 === 0) {
      throw new Error('The field failed');
    }
    if (directiveText(info, 'requires') !== undefined) {
      checkInputs(object, fieldName);
    }
    const inputs = requiredBy(object, fieldName);
    return valueOf(returnType, inputs === undefined ? place : `${place}<${JSON.stringify(inputs)}`, {
      parent: object,
      members: shape.heldTypes.get(`${familyOf(object.__typename)}.${fieldName}`),
      provided: directiveText(info, 'provides')?.split(' ') ?? [],
    });
  };

  /** A subgraph has the inputs that it was sent, or that the field above provides. */
  const checkInputs = (
    { __typename, representation, provided = [] }: ModelObject,
    fieldName: string,
  ): void => {
    const required = fieldSet(shape.requires.get(`${familyOf(__typename)}.${fieldName}`) ?? '__typename');
    for (const name of fieldNamesOf(required)) {
      if (representation === undefined ? !provided.includes(name) : !(name in representation)) {
        throw new Error(`The input ${name} of ${fieldName} is missing`);
      }
    }
  };

  /** The argument from a context, in the schema for clients, which does not have it. */
  const hiddenArgument = (
    object: ModelObject,
    { parentType, fieldName }: GraphQLResolveInfo,
  ): Arguments | undefined => {
    const context = shape.contexts.get(`${parentType.name}.${fieldName}`);
    const declared = parentType.getFields()[fieldName]?.args ?? [];
    if (context === undefined || declared.some(({ name }) => name === context.argument)) {
      return undefined;
    }
    for (let above = object.parent; above !== undefined; above = above.parent) {
      const selection = context.selections.get(above.__typename);
      if (selection !== undefined) {
        const [value] = Object.values(evaluate(above, fieldSet(selection)));
        return { [context.argument]: value };
      }
    }
    throw new Error('Nothing above sets the context');
  };

  const placeOf = ({ __typename, id }: ModelObject, fieldName: string, args: Arguments): string =>
    `${familyOf(__typename)}:${id}.${fieldName}(${canonical(args)})`;

  const valueOf = (type: GraphQLOutputType, place: string, holder: Holder): unknown => {
    const isEmpty = holder.members?.length === 0;
    if (!isNonNullType(type) && (number('null', place) % 7 === 0 || (isEmpty && !isListType(type)))) {
      return null;
    }
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const length = isEmpty && isNonNullType(nullable.ofType) ? 0 : number('length', place) % 4;
      return Array.from({ length }, (_, index) => valueOf(nullable.ofType, `${place}[${index}]`, holder));
    }
    const named = getNamedType(nullable);
    if (isEnumType(named)) {
      const values = named.getValues();
      return values[number('enum', place) % values.length]?.value;
    }
    if (isLeafType(named)) {
      return leafOf(named.name, place);
    }
    const isAbstract = isAbstractType(named) || named.name === shape.entityInterface;
    return objectAt(isAbstract ? memberAt(place, holder) : named.name, place, holder);
  };

  const memberAt = (place: string, { members = [] }: Holder): string => {
    const member = members[number('member', place) % members.length];
    if (member === undefined) {
      throw new Error(`Nothing is known of the types at ${place}`);
    }
    return member;
  };

  /** Objects other than entities belong to their place. There are few entities, so that each occurs in many places. */
  const objectAt = (typeName: string, place: string, holder: Holder): ModelObject => {
    if (valueTypes.has(typeName)) {
      return objectOf(typeName, place, holder);
    }
    const ids = ['1', '2', '3', '4'].filter(
      (id) => !implementers.includes(typeName) || implementerOf(id) === typeName,
    );
    return objectOf(typeName, ids[number('id', place) % ids.length] ?? '', holder);
  };

  const leafOf = (typeName: string, place: string): unknown => {
    const value = number('leaf', place);
    switch (typeName) {
      case 'Int':
        return (value % 7) - 1;
      case 'Float':
        return (value % 9) / 4;
      case 'Boolean':
        return value % 2 === 0;
      case 'ID':
        return `i${value % 100}`;
      case 'String':
        return `${texts[value % texts.length]}${value % 3 === 0 ? '' : value % 50}`;
      default:
        return customValue(value);
    }
  };

  const requiredBy = (object: ModelObject, fieldName: string): unknown => {
    const required = shape.requires.get(`${familyOf(object.__typename)}.${fieldName}`);
    if (required === undefined) {
      return undefined;
    }
    const set = fieldSet(required);
    return object.representation === undefined ? evaluate(object, set) : select(object.representation, set);
  };

  /** The value of a field set for an object, computed here. */
  const evaluate = (
    object: ModelObject,
    { selections }: SelectionSetNode,
  ): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      selections.flatMap((selection) => {
        if (selection.kind !== Kind.FIELD) {
          return [];
        }
        const name = selection.name.value;
        const field = shape.inputs.get(`${familyOf(object.__typename)}.${name}`);
        const args = Object.fromEntries(
          (selection.arguments ?? []).map((argument) => [
            argument.name.value,
            valueFromASTUntyped(argument.value),
          ]),
        );
        const place = placeOf(object, name, { ...field?.defaults, ...args });
        const inputs = requiredBy(object, name);
        const value = inputValue(
          field?.type ?? 'String',
          inputs === undefined ? place : `${place}<${JSON.stringify(inputs)}`,
        );
        const { selectionSet } = selection;
        return [[name, selectionSet && isModelObject(value) ? evaluate(value, selectionSet) : value]];
      }),
    );

  /** Like `valueOf`, for the name of a type. Inputs are leaves, or one object that is not an entity. */
  const inputValue = (type: string, place: string): unknown => {
    const isRequired = type.endsWith('!');
    if (!isRequired && number('null', place) % 7 === 0) {
      return null;
    }
    const name = isRequired ? type.slice(0, -1) : type;
    return name === 'Dims' ? objectOf(name, place) : leafOf(name, place);
  };

  return {
    resolveField,
    resolveType: (value) => (isModelObject(value) ? value.__typename : undefined),
    entityOf: (typeName, representation, { isAbstract }) => {
      const id = idOf(representation);
      const object = isAbstract || shape.singletons.has(typeName) ? objectOf(typeName, id) : undefined;
      return { ...(object ?? { __typename: typeName, id }), representation };
    },
  };
}

/** The fields that a directive of a subgraph's field names; '' where it names none. */
function directiveText({ parentType, fieldName }: GraphQLResolveInfo, name: string): string | undefined {
  const directives = parentType.getFields()[fieldName]?.astNode?.directives ?? [];
  const directive = directives.find((one) => one.name.value === name);
  const [argument] = directive?.arguments ?? [];
  return directive && (argument?.value.kind === Kind.STRING ? argument.value.value : '');
}

/** A field set, read. */
function fieldSet(text: string): SelectionSetNode {
  const [definition] = parse(`{${text}}`).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error(`"${text}" is not a set of fields`);
  }
  return definition.selectionSet;
}

function select(value: unknown, { selections }: SelectionSetNode): unknown {
  if (!isRecord(value)) {
    return value;
  }
  return Object.fromEntries(
    selections.flatMap((selection) => {
      if (selection.kind !== Kind.FIELD) {
        return [];
      }
      const { name, selectionSet } = selection;
      const below = value[name.value];
      return [[name.value, selectionSet === undefined ? below : select(below, selectionSet)]];
    }),
  );
}

function idOf({ id, sku, ref, serial, tag, one, two }: Readonly<Record<string, unknown>>): string {
  if (typeof id === 'string') {
    return id;
  }
  if (typeof sku === 'string') {
    return sku.slice('sku-'.length);
  }
  if (serial !== undefined) {
    return idOfSerial(serial);
  }
  if (isRecord(tag)) {
    return idOf(tag);
  }
  const label = one ?? two;
  if (typeof label === 'string') {
    return label.slice('one-'.length);
  }
  const code = isRecord(ref) ? ref['code'] : undefined;
  return typeof code === 'string' ? code.slice('c-'.length) : 'unknown';
}

function canonical(args: Arguments): string {
  return JSON.stringify(Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isModelObject(value: unknown): value is ModelObject {
  return isRecord(value) && typeof value['__typename'] === 'string' && typeof value['id'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
