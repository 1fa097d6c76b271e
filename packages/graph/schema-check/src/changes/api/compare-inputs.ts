import type { GraphQLArgument, GraphQLInputField, GraphQLType } from 'graphql';
import { astFromValue, isListType, isNamedType, isNonNullType, isRequiredArgument, print } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf, changesOfValue } from '../change.ts';
import type { Level } from '../kinds.ts';
import { pairByName } from '../pair-by-key.ts';

/** An argument or a field of an input object. */
type Input = GraphQLArgument | GraphQLInputField;

/** The kinds of changes of an input begin with its sort. */
type InputSort = 'INPUT_FIELD' | 'FIELD_ARGUMENT' | 'DIRECTIVE_ARGUMENT';

const requiredKinds = {
  INPUT_FIELD: 'REQUIRED_INPUT_FIELD_ADDED',
  FIELD_ARGUMENT: 'REQUIRED_ARGUMENT_ADDED',
  DIRECTIVE_ARGUMENT: 'REQUIRED_DIRECTIVE_ARGUMENT_ADDED',
} as const;

/** Compares arguments, or the fields of input objects. */
export function compareInputs(
  before: readonly Input[],
  after: readonly Input[],
  sort: InputSort,
  coordinateOf: (name: string) => string,
): Change[] {
  const { added, removed, kept } = pairByName(before, after);
  return [
    ...removed.map(({ name, type }) =>
      changeOf(`${sort}_REMOVED`, coordinateOf(name), { before: String(type) }),
    ),
    ...added.map((input) => {
      // A default of an input field is a value that the client did not send.
      const isSent = sort === 'INPUT_FIELD' && !isRequiredArgument(input) && input.defaultValue !== undefined;
      const kind = isRequiredArgument(input) ? requiredKinds[sort] : (`${sort}_ADDED` as const);
      const details = { after: String(input.type), ...(isSent && ({ level: 'dangerous' } as const)) };
      return changeOf(kind, coordinateOf(input.name), details);
    }),
    ...kept.flatMap(([one, other]) => compareInput(one, other, sort, coordinateOf(one.name))),
  ];
}

function compareInput(before: Input, after: Input, sort: InputSort, coordinate: string): Change[] {
  const defaults = [defaultOf(before), defaultOf(after)] as const;
  return [
    ...compareDescriptions(coordinate, before, after),
    ...changesOfValue(`${sort}_TYPE_CHANGED`, coordinate, String(before.type), String(after.type), {
      // Every value for the old type has to be one for the new type.
      level: promisesAsMuch(after.type, before.type) ? 'safe' : 'breaking',
    }),
    ...changesOfValue(`${sort}_DEFAULT_CHANGED`, coordinate, ...defaults, {
      level: levelOfDefault(defaults, before, after),
    }),
  ];
}

function levelOfDefault(
  [one, other]: readonly [string | undefined, string | undefined],
  before: Input,
  after: Input,
): Level {
  if (other === undefined && isNonNullType(before.type) && isNonNullType(after.type)) {
    // A client that leaves the value out is rejected now.
    return 'breaking';
  }
  // A new default applies to clients that omit the value.
  return one === undefined ? 'safe' : 'dangerous';
}

/** The default as resolvers get it: `1` and `[1]` are equal for a list. */
function defaultOf({ astNode, defaultValue, type }: Input): string | undefined {
  const written = astNode?.defaultValue;
  if (written === undefined) {
    return undefined;
  }
  try {
    return print(astFromValue(defaultValue, type) ?? written);
  } catch {
    // graphql-js has no literal of a custom scalar's object or list.
    return print(written);
  }
}

interface Described {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

/** Compares the description of an element, and its deprecation if it can have one. */
export function compareDescriptions(coordinate: string, before: Described, after: Described): Change[] {
  const [one = null, other = null] = [before.deprecationReason, after.deprecationReason];
  const gone = other === null ? 'DEPRECATION_REMOVED' : 'DEPRECATION_REASON_CHANGED';
  const kind = one === null ? 'DEPRECATION_ADDED' : gone;
  return [
    ...changesOfValue('DESCRIPTION_CHANGED', coordinate, before.description, after.description),
    ...changesOfValue(kind, coordinate, one, other),
  ];
}

/** True when the values of `narrow` are values of `wide`, as far as lists and nulls go. */
export function promisesAsMuch(wide: GraphQLType, narrow: GraphQLType): boolean {
  if (isNonNullType(narrow)) {
    return promisesAsMuch(isNonNullType(wide) ? wide.ofType : wide, narrow.ofType);
  }
  if (isListType(wide)) {
    return isListType(narrow) && promisesAsMuch(wide.ofType, narrow.ofType);
  }
  return isNamedType(wide) && isNamedType(narrow) && wide.name === narrow.name;
}
