import type { GraphQLArgument, GraphQLInputField } from 'graphql';
import { astFromValue, isNonNullType, print } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import type { ChangeKind, Level } from '../kinds.ts';
import { pairByKey } from '../pair-by-key.ts';
import { compareDescriptions } from './compare-descriptions.ts';
import { isSafeInputChange } from './type-compatibility.ts';

/** An argument or a field of an input object. */
export type Input = GraphQLArgument | GraphQLInputField;

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
  const { added, removed, kept } = pairByKey(before, after, ({ name }) => name);
  return [
    ...removed.map((input) =>
      changeOf(kinds.removed, coordinateOf(input.name), { before: String(input.type) }),
    ),
    ...added.map((input) => addition(input, kinds, coordinateOf(input.name))),
    ...kept.flatMap(([one, other]) => compareInput(one, other, kinds, coordinateOf(one.name))),
  ];
}

function addition(input: Input, kinds: InputKinds, coordinate: string): Change {
  const after = String(input.type);
  const hasDefault = input.defaultValue !== undefined;
  const isRequired = after.endsWith('!') && !hasDefault;
  return isRequired
    ? changeOf(kinds.requiredAdded, coordinate, { after })
    : changeOf(kinds.added, coordinate, { after, level: kinds.addedLevel(hasDefault) });
}

function compareInput(before: Input, after: Input, kinds: InputKinds, coordinate: string): Change[] {
  const changes = compareDescriptions(coordinate, before, after);
  const types = { before: String(before.type), after: String(after.type) };
  if (types.before !== types.after) {
    const level = isSafeInputChange(before.type, after.type) ? 'safe' : 'breaking';
    changes.push(changeOf(kinds.typeChanged, coordinate, { ...types, level }));
  }
  const defaults = { before: defaultOf(before), after: defaultOf(after) };
  if (defaults.before !== defaults.after) {
    changes.push(
      changeOf(kinds.defaultChanged, coordinate, {
        ...defaults,
        level: levelOfDefault(defaults, before, after),
      }),
    );
  }
  return changes;
}

function levelOfDefault(defaults: Pick<Change, 'before' | 'after'>, before: Input, after: Input): Level {
  if (defaults.after === undefined && isNonNullType(before.type) && isNonNullType(after.type)) {
    // A client that leaves the value out is refused now.
    return 'breaking';
  }
  // A new default applies to clients that omit the value.
  return defaults.before === undefined ? 'safe' : 'dangerous';
}

function defaultOf({ defaultValue, type }: Input): string | undefined {
  const node = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return node ? print(node) : undefined;
}
