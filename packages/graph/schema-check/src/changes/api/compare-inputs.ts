import type { GraphQLArgument, GraphQLInputField } from 'graphql';
import { astFromValue, isNonNullType, isRequiredArgument, print } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf, changesOfValue } from '../change.ts';
import type { ChangeKind, Level } from '../kinds.ts';
import { pairByName } from '../pair-by-key.ts';
import { promisesAsMuch } from './type-compatibility.ts';

/** An argument or a field of an input object. */
type Input = GraphQLArgument | GraphQLInputField;

/** The kinds of changes of one sort of input. */
export interface InputKinds {
  readonly added: ChangeKind;
  /** The level of an optional one, which may have a default. */
  readonly addedLevel: (hasDefault: boolean) => Level;
  readonly requiredAdded: ChangeKind;
  readonly removed: ChangeKind;
  readonly typeChanged: ChangeKind;
  readonly defaultChanged: ChangeKind;
}

/** Compares arguments, or the fields of input objects. */
export function compareInputs(
  before: readonly Input[],
  after: readonly Input[],
  kinds: InputKinds,
  coordinateOf: (name: string) => string,
): Change[] {
  const { added, removed, kept } = pairByName(before, after);
  return [
    ...removed.map(({ name, type }) => changeOf(kinds.removed, coordinateOf(name), { before: String(type) })),
    ...added.map((input) => {
      const values = { after: String(input.type) };
      return isRequiredArgument(input)
        ? changeOf(kinds.requiredAdded, coordinateOf(input.name), values)
        : changeOf(kinds.added, coordinateOf(input.name), {
            ...values,
            level: kinds.addedLevel(input.defaultValue !== undefined),
          });
    }),
    ...kept.flatMap(([one, other]) => compareInput(one, other, kinds, coordinateOf(one.name))),
  ];
}

function compareInput(before: Input, after: Input, kinds: InputKinds, coordinate: string): Change[] {
  const defaults = [defaultOf(before), defaultOf(after)] as const;
  return [
    ...compareDescriptions(coordinate, before, after),
    ...changesOfValue(kinds.typeChanged, coordinate, String(before.type), String(after.type), {
      // Every value for the old type has to be one for the new type.
      level: promisesAsMuch(after.type, before.type) ? 'safe' : 'breaking',
    }),
    ...changesOfValue(kinds.defaultChanged, coordinate, ...defaults, {
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

function defaultOf({ defaultValue, type }: Input): string | undefined {
  const node = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return node ? print(node) : undefined;
}

interface Described {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

/** Compares the description of an element, and its deprecation if it can have one. */
export function compareDescriptions(coordinate: string, before: Described, after: Described): Change[] {
  const [one, other] = [before.deprecationReason ?? undefined, after.deprecationReason ?? undefined];
  const kind =
    one === undefined
      ? 'DEPRECATION_ADDED'
      : other === undefined
        ? 'DEPRECATION_REMOVED'
        : 'DEPRECATION_REASON_CHANGED';
  return [
    ...changesOfValue('DESCRIPTION_CHANGED', coordinate, before.description, after.description),
    ...changesOfValue(kind, coordinate, one, other),
  ];
}
