import type {
  GraphQLAbstractType,
  GraphQLField,
  GraphQLInputType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';

import type { Operation } from '../../src/index.ts';
import type { Random } from '@meridian/testing';
import { createRandom } from '@meridian/testing';
import { customInput } from './custom-scalars.ts';

/** An operation and the variables of one run, valid for a schema. */
export interface GeneratedOperation {
  readonly text: string;
  readonly operation: Operation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Names that are hard to be: of keys, of other fields, of what every JavaScript object has. Apollo Client merges none that is
 * called `__proto__`.
 */
const aliases = [
  'id',
  'sku',
  'name',
  'price',
  'weight',
  'a',
  'b',
  '__proto__',
  'constructor',
  'representations',
  'dims',
  'code',
];

interface Draft {
  readonly random: Random;
  readonly schema: GraphQLSchema;
  /** True without aliases, conditions and non-default arguments. */
  readonly isPlain: boolean;
  /** True with `@defer` on fragments. */
  readonly isDeferring: boolean;
  readonly declarations: string[];
  readonly variables: Record<string, unknown>;
  readonly fragments: string[];
  /** Selections that may still be made: operations stay small enough to plan in milliseconds. */
  budget: number;
  labelCount: number;
}

/**
 * Makes a valid operation from a seed.
 *
 * @param isPlain without aliases, conditions and variables: what stock executors get right
 */
export function generateOperation(
  schema: GraphQLSchema,
  seed: string,
  { isPlain, isDeferring = false }: { readonly isPlain: boolean; readonly isDeferring?: boolean },
): GeneratedOperation {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const random = createRandom(`${seed}/${attempt}`);
    // Most collisions of aliases are invalid: after some attempts, without them.
    const generated = generate(schema, random, { isPlain: isPlain || attempt > 30, isDeferring });
    if (validate(schema, generated.operation.document).length === 0) {
      return generated;
    }
  }
  throw new Error(`No valid operation comes of the seed ${seed}`);
}

function generate(
  schema: GraphQLSchema,
  random: Random,
  { isPlain, isDeferring }: Pick<Draft, 'isPlain' | 'isDeferring'>,
): GeneratedOperation {
  const draft: Draft = {
    random,
    schema,
    isPlain,
    isDeferring,
    declarations: [],
    variables: {},
    fragments: [],
    budget: 10 + random.below(30),
    labelCount: 0,
  };
  const mutation = schema.getMutationType();
  const isMutation = mutation !== null && mutation !== undefined && random.chance(0.1);
  const root = isMutation ? mutation : schema.getQueryType();
  if (root === null || root === undefined) {
    throw new Error('The schema has no root');
  }
  const body = selectionSet(root, 4, draft);
  const declared = draft.declarations.length === 0 ? '' : `(${draft.declarations.join(', ')})`;
  const hasOther = random.chance(0.1);
  const name = hasOther || random.chance(0.5) ? 'Tested' : undefined;
  const text = [
    `${isMutation ? 'mutation' : 'query'} ${name ?? ''}${declared} ${body}`,
    ...draft.fragments,
    ...(hasOther ? ['query Other { __typename }'] : []),
  ].join('\n');
  return {
    text,
    operation: { document: parse(text), ...(name !== undefined && { name }) },
    variables: draft.variables,
  };
}

function selectionSet(type: GraphQLNamedType, depth: number, draft: Draft): string {
  const { random } = draft;
  const hasFields = isObjectType(type) || (isInterfaceType(type) && random.chance(0.7));
  const selections = hasFields ? fields(type, depth, draft) : [];
  if (isAbstractType(type)) {
    for (const overlapping of random.some(overlappingTypes(type, draft), 0.4)) {
      selections.push(fragment(overlapping, depth, draft));
    }
  } else if (isObjectType(type) && !draft.isPlain && random.chance(0.15)) {
    selections.push(fragment(random.pick([type, ...type.getInterfaces()]), depth, draft));
  }
  if (random.chance(0.2)) {
    selections.push(!draft.isPlain && random.chance(0.3) ? 'kind: __typename' : '__typename');
  }
  const body = `{ ${selections.length === 0 ? '__typename' : deferSome(selections, draft).join(' ')} }`;
  const isConditional = !draft.isPlain && random.chance(0.06);
  return isConditional ? `{ ...${condition(draft, 1)} ${body} }` : body;
}

/** The types of which an object of an abstract type can be, and one abstract type that has some of these too. */
function overlappingTypes(type: GraphQLAbstractType, draft: Draft): readonly GraphQLNamedType[] {
  const { schema, random } = draft;
  const possible = schema.getPossibleTypes(type);
  const abstract = Object.values(schema.getTypeMap()).filter(
    (other) => isAbstractType(other) && possible.some((member) => schema.isSubType(other, member)),
  );
  if (possible.length === 0) {
    draft.budget -= 5;
    return draft.budget > 0 ? [type] : [];
  }
  return random.chance(0.4) && abstract.length > 0 ? [...possible, random.pick(abstract)] : possible;
}

function fields(
  type: GraphQLObjectType | { getFields: GraphQLObjectType['getFields'] },
  depth: number,
  draft: Draft,
): string[] {
  const { random } = draft;
  const candidates = Object.values(type.getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) || (depth > 0 && draft.budget > 0),
  );
  const chosen = Array.from({ length: candidates.length === 0 ? 0 : 1 + random.below(4) }, () =>
    random.pick(candidates),
  );
  draft.budget -= chosen.length;
  return (draft.isPlain ? [...new Set(chosen)] : chosen).map((field) => selectField(field, depth, draft));
}

function selectField(field: GraphQLField<unknown, unknown>, depth: number, draft: Draft): string {
  const { random, isPlain } = draft;
  const names = draft.isDeferring ? aliases.filter((name) => name !== '__proto__') : aliases;
  const alias = !isPlain && random.chance(0.3) ? `${random.pick(names)}: ` : '';
  const type = getNamedType(field.type);
  const below = isLeafType(type) ? '' : ` ${selectionSet(type, depth - 1, draft)}`;
  return `${alias}${field.name}${argumentsOf(field, draft)}${condition(draft)}${below}`;
}

function argumentsOf(field: GraphQLField<unknown, unknown>, draft: Draft): string {
  const { random } = draft;
  const given = field.args.flatMap(({ name, type, defaultValue }) => {
    const isOptional = !isNonNullType(type) || defaultValue !== undefined;
    if (draft.isPlain || (isOptional && random.chance(0.5))) {
      return [];
    }
    return [`${name}: ${random.chance(0.3) ? variable(type, draft) : input(type, random).literal}`];
  });
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

/** A value as a literal, and as a variable has it. */
interface Input {
  readonly literal: string;
  readonly value: unknown;
}

function input(type: GraphQLInputType, random: Random): Input {
  const named = getNamedType(type);
  if (!isNonNullType(type) && random.chance(0.15)) {
    return { literal: 'null', value: null };
  }
  if (isEnumType(named)) {
    const { name } = random.pick(named.getValues());
    return { literal: name, value: name };
  }
  switch (named.name) {
    case 'Boolean':
      return plainInput(random.chance(0.5));
    case 'ID':
      return plainInput(String(random.below(5)));
    case 'JSON':
      return customInput(random);
    default:
      return plainInput(random.below(4));
  }
}

function plainInput(value: string | number | boolean): Input {
  return { literal: JSON.stringify(value), value };
}

function variable(type: GraphQLInputType, draft: Draft): string {
  const { random, declarations, variables } = draft;
  // A name that the planner uses for its own variable.
  const isDeclared = declarations.some((declaration) => declaration.startsWith('$representations'));
  const name = !isDeclared && random.chance(0.1) ? 'representations' : `v${declarations.length}`;
  const hasDefault = random.chance(0.4);
  declarations.push(`$${name}: ${String(type)}${hasDefault ? ` = ${input(type, random).literal}` : ''}`);
  if (!(hasDefault || !isNonNullType(type)) || random.chance(0.6)) {
    variables[name] = input(type, random).value;
  }
  return `$${name}`;
}

function condition(draft: Draft, rate = 0.12): string {
  const { random, isPlain, declarations, variables } = draft;
  if (isPlain || !random.chance(rate)) {
    return '';
  }
  const directive = random.pick(['skip', 'include']);
  if (random.chance(0.3)) {
    return ` @${directive}(if: ${random.chance(0.5)})`;
  }
  const known = declarations.filter((declaration) => declaration.startsWith('$c'));
  if (known.length > 0 && random.chance(0.5)) {
    return ` @${directive}(if: ${random.pick(known).split(':')[0] ?? ''})`;
  }
  const name = `c${declarations.length}`;
  const hasDefault = random.chance(0.5);
  declarations.push(`$${name}: Boolean!${hasDefault ? ` = ${random.chance(0.5)}` : ''}`);
  if (!hasDefault || random.chance(0.5)) {
    variables[name] = random.chance(0.5);
  }
  return ` @${directive}(if: $${name})`;
}

function fragment(type: GraphQLNamedType, depth: number, draft: Draft): string {
  const { random, fragments } = draft;
  const body = selectionSet(type, depth, draft);
  if (draft.isPlain || random.chance(0.7)) {
    return `... on ${type.name}${condition(draft)}${defer(draft, 0.4)} ${body}`;
  }
  const name = `F${fragments.length}`;
  fragments.push(`fragment ${name} on ${type.name} ${body}`);
  const spread = (): string => `...${name}${condition(draft)}${defer(draft, 0.5)}`;
  return draft.isDeferring && random.chance(0.2) ? `${spread()} ${spread()}` : spread();
}

/** Some of the selections in a deferred fragment. */
function deferSome(selections: readonly string[], draft: Draft): readonly string[] {
  const { random, isDeferring } = draft;
  if (!isDeferring || !random.chance(0.4)) {
    return selections;
  }
  const deferred = selections.filter(() => random.chance(0.6));
  const others = selections.filter((selection) => !deferred.includes(selection) || random.chance(0.15));
  return deferred.length === 0 ? selections : [...others, `...${defer(draft, 1)} { ${deferred.join(' ')} }`];
}

function defer(draft: Draft, rate: number): string {
  const { random, isDeferring, declarations, variables } = draft;
  if (!isDeferring || !random.chance(rate)) {
    return '';
  }
  const given: string[] = [];
  if (random.chance(0.6)) {
    given.push(`label: "part ${draft.labelCount}"`);
    draft.labelCount += 1;
  }
  if (random.chance(0.15)) {
    given.push(`if: ${random.chance(0.6)}`);
  } else if (random.chance(0.25)) {
    const name = `d${declarations.length}`;
    const hasDefault = random.chance(0.5);
    declarations.push(`$${name}: Boolean${hasDefault ? ` = ${random.chance(0.6)}` : '!'}`);
    if (!hasDefault || random.chance(0.5)) {
      variables[name] = random.chance(0.6);
    }
    given.push(`if: $${name}`);
  }
  return given.length === 0 ? ' @defer' : ` @defer(${given.join(', ')})`;
}
