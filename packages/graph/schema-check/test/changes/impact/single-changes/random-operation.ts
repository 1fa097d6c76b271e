import type { GraphQLArgument, GraphQLInputType, GraphQLNamedType, GraphQLSchema } from 'graphql';
import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isSpecifiedDirective,
} from 'graphql';

/** The longest path of fields, and of input objects in each other. */
const maxDepth = 2;

/**
 * An operation over a schema, most often a valid one: with values that are written in it, variables that may be null,
 * variables in input objects and in lists, defaults, fragments and directives.
 */
export function randomOperation(schema: GraphQLSchema, name: string, random: () => number): string {
  const chance = (share: number): boolean => random() < share;
  const pick = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(random() * values.length)];
  const variables: string[] = [];
  const fragments: string[] = [];

  const selection = (parent: GraphQLNamedType, depth: number): string => {
    const fields = isObjectType(parent) || isInterfaceType(parent) ? Object.values(parent.getFields()) : [];
    const fits = fields.filter(({ type }) => depth < maxDepth || !isCompositeType(getNamedType(type)));
    // Small operations: what one of them uses twice hides that a comparison misses one of the uses.
    const chosen = fits.filter(() => chance(depth === 0 ? 1.2 / fits.length : 0.5));
    const selected = chosen.map(({ name: field, args, type }) => {
      const inner = getNamedType(type);
      const alias = chance(0.4) ? `${field}${depth}: ` : '';
      const selected = isCompositeType(inner) ? ` ${selection(inner, depth + 1)}` : '';
      return `${alias}${field}${argumentsOf(args)}${directive()}${selected}`;
    });
    const members = isAbstractType(parent) && depth <= maxDepth ? schema.getPossibleTypes(parent) : [];
    const conditions = members.filter(() => chance(0.35)).map((type) => fragment(type, depth));
    return `{ ${['__typename', ...selected, ...conditions].join(' ')} }`;
  };

  const fragment = (type: GraphQLNamedType, depth: number): string => {
    if (chance(0.5)) {
      return `... on ${type.name} ${selection(type, depth + 1)}`;
    }
    const fragmentName = `F${fragments.length}`;
    fragments.push('');
    fragments[Number(fragmentName.slice(1))] =
      `fragment ${fragmentName} on ${type.name} ${selection(type, depth + 1)}`;
    return `...${fragmentName}`;
  };

  const directive = (): string => {
    const own = schema.getDirectives().filter((other) => !isSpecifiedDirective(other));
    const used = chance(0.15)
      ? pick(own.filter(({ locations }) => locations.includes('FIELD' as never)))
      : undefined;
    return used === undefined ? '' : ` @${used.name}${argumentsOf(used.args)}`;
  };

  const argumentsOf = (args: readonly GraphQLArgument[]): string => {
    const given = args
      .filter((argument) => isRequiredArgument(argument) || chance(0.6))
      .map((argument) => `${argument.name}: ${value(argument.type, argument.defaultValue !== undefined, 0)}`);
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  };

  const value = (type: GraphQLInputType, hasDefault: boolean, depth: number): string =>
    chance(0.45) ? variable(type, hasDefault) : literal(type, depth);

  const variable = (type: GraphQLInputType, hasDefault: boolean): string => {
    const name = `$v${variables.length}`;
    const isNonNull = isNonNullType(type);
    const nullable = isNonNull ? type.ofType : type;
    const mayBeNull = isNonNull ? hasDefault && chance(0.5) : chance(0.8);
    const isGiven = isNonNull ? !mayBeNull && chance(0.3) : chance(0.2);
    variables.push('');
    variables[Number(name.slice(2))] =
      isGiven || mayBeNull
        ? `${name}: ${String(nullable)}${isGiven ? ` = ${constant(nullable)}` : ''}`
        : `${name}: ${String(nullable)}!`;
    return name;
  };

  const constant = (type: GraphQLInputType, depth = maxDepth): string =>
    literalOf(type, depth, (inner) => constant(inner, depth + 1));

  const literal = (type: GraphQLInputType, depth: number): string =>
    !isNonNullType(type) && chance(0.05)
      ? 'null'
      : literalOf(type, depth, (inner, hasDefault) => value(inner, hasDefault, depth + 1));

  const literalOf = (
    type: GraphQLInputType,
    depth: number,
    inner: (type: GraphQLInputType, hasDefault: boolean) => string,
  ): string => {
    if (isNonNullType(type)) {
      return literalOf(type.ofType, depth, inner);
    }
    if (isListType(type)) {
      return depth < maxDepth && chance(0.8) ? `[${inner(type.ofType, false)}]` : '[]';
    }
    if (isEnumType(type)) {
      return pick(type.getValues())?.name ?? '';
    }
    if (isInputObjectType(type)) {
      if (depth > 2 * maxDepth) {
        // Only an object that requires itself gets here: no value is valid.
        return '{}';
      }
      const given = Object.values(type.getFields()).filter(
        (field) =>
          (isNonNullType(field.type) && field.defaultValue === undefined) ||
          (depth < maxDepth && chance(0.5)),
      );
      const fields = given.map(
        (field) => `${field.name}: ${inner(field.type, field.defaultValue !== undefined)}`,
      );
      return `{ ${fields.join(', ')} }`;
    }
    return { Int: '3', Float: '3.5', Boolean: 'true' }[type.name] ?? '"text"';
  };

  const mutation = schema.getMutationType();
  const [kind, root] =
    mutation && chance(0.3) ? ['mutation', mutation] : (['query', schema.getQueryType()] as const);
  const selected = root ? selection(root, 0) : '{ __typename }';
  const definitions = variables.length === 0 ? '' : `(${variables.join(', ')})`;
  return [`${kind} ${name}${definitions} ${selected}`, ...fragments].join(' ');
}
