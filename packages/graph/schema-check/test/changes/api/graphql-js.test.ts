// The classification beside graphql-js', on generated pairs of schemas. docs/schema-checks.md lists the differences.
import { describe, expect, it } from '@jest/globals';
import { mulberry32 } from '@meridian/demo-data';
import type { BreakingChangeType, DangerousChangeType, GraphQLSchema } from 'graphql';
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql';

import { compareApi } from '../../../src/changes/api/compare-api.ts';
import type { Change } from '../../../src/changes/change.ts';
import type { ChangeKind } from '../../../src/changes/kinds.ts';
import { randomSchema } from '../support/random-schema.ts';

const seeds = Array.from({ length: 40 }, (_none, seed) => seed);

function schemasOf(seed: number): readonly [before: GraphQLSchema, after: GraphQLSchema] {
  const random = mulberry32(seed);
  return [buildSchema(randomSchema(random)), buildSchema(randomSchema(random))];
}

describe('compareApi', () => {
  it('calls breaking what graphql-js calls breaking, and nothing else but changed root types and missing defaults', () => {
    for (const seed of seeds) {
      const [before, after] = schemasOf(seed);
      const ours = compareApi(before, after)
        .filter(({ level, kind }) => level === 'breaking' && !/^SCHEMA_|_DEFAULT_/u.test(kind))
        .map(({ kind }) => kind);
      const theirs = findBreakingChanges(before, after).map(({ type }) => breaking[type]);
      expect({ seed, kinds: ours.map(joined).toSorted() }).toEqual({ seed, kinds: theirs.toSorted() });
    }
  });

  it('calls dangerous what graphql-js calls dangerous, but for what cannot reach a client', () => {
    for (const seed of seeds) {
      const [before, after] = schemasOf(seed);
      const changes = compareApi(before, after);
      const ours = changes
        .filter(
          (change) =>
            change.level === 'dangerous' || isSaferThanGraphqlJs(change) || isMissingDefault(change),
        )
        .filter(({ kind }) => kind !== 'SPECIFIED_BY_CHANGED' && kind !== 'INPUT_FIELD_DEFAULT_CHANGED')
        .filter((change) => !isOfAnotherType(change, changes) && !isOfNewType(change, changes))
        .map(({ kind }) => kind);
      const theirs = findDangerousChanges(before, after).map(({ type }) => dangerous[type]);
      expect({ seed, kinds: ours.toSorted() }).toEqual({ seed, kinds: theirs.toSorted() });
    }
  });

  it('sees the change of a default that is an object of a custom scalar', () => {
    const schemas = [1, 2].map((x) => buildSchema(`scalar Any  type Query { a(of: Any = {x: ${x}}): Int }`));
    const [before = buildSchema(''), after = before] = schemas;
    expect(compareApi(before, after).map(({ kind, after: value }) => [kind, value])).toEqual([
      ['FIELD_ARGUMENT_DEFAULT_CHANGED', '{x: 2}'],
    ]);
  });

  it('takes defaults with the same value for equal, however they are written', () => {
    const [before = buildSchema(''), after = before] = [
      ['1', '1.0', '{a: 1}'],
      ['[1]', '1', '{b: 2, a: 1}'],
    ].map(([list, float, input]) =>
      buildSchema(`
        input I { a: Int b: Int = 2 }
        type Query { a(list: [Int] = ${list}, float: Float = ${float}, input: I = ${input}): Int }`),
    );
    expect(compareApi(before, after)).toEqual([]);
  });
});

const breaking: Readonly<Record<BreakingChangeType, ChangeKind>> = {
  TYPE_REMOVED: 'TYPE_REMOVED',
  TYPE_CHANGED_KIND: 'TYPE_KIND_CHANGED',
  TYPE_REMOVED_FROM_UNION: 'UNION_MEMBER_REMOVED',
  VALUE_REMOVED_FROM_ENUM: 'ENUM_VALUE_REMOVED',
  REQUIRED_INPUT_FIELD_ADDED: 'REQUIRED_INPUT_FIELD_ADDED',
  IMPLEMENTED_INTERFACE_REMOVED: 'OBJECT_TYPE_INTERFACE_REMOVED',
  FIELD_REMOVED: 'FIELD_REMOVED',
  FIELD_CHANGED_KIND: 'FIELD_TYPE_CHANGED',
  REQUIRED_ARG_ADDED: 'REQUIRED_ARGUMENT_ADDED',
  ARG_REMOVED: 'FIELD_ARGUMENT_REMOVED',
  ARG_CHANGED_KIND: 'FIELD_ARGUMENT_TYPE_CHANGED',
  DIRECTIVE_REMOVED: 'DIRECTIVE_REMOVED',
  DIRECTIVE_ARG_REMOVED: 'DIRECTIVE_ARGUMENT_REMOVED',
  REQUIRED_DIRECTIVE_ARG_ADDED: 'REQUIRED_DIRECTIVE_ARGUMENT_ADDED',
  DIRECTIVE_REPEATABLE_REMOVED: 'DIRECTIVE_REPEATABLE_REMOVED',
  DIRECTIVE_LOCATION_REMOVED: 'DIRECTIVE_LOCATION_REMOVED',
};

/** graphql-js has one kind for fields of outputs and of inputs. */
function joined(kind: ChangeKind): ChangeKind {
  return kind === 'INPUT_FIELD_REMOVED' || kind === 'INPUT_FIELD_TYPE_CHANGED' ? joinedKinds[kind] : kind;
}

const joinedKinds = {
  INPUT_FIELD_REMOVED: 'FIELD_REMOVED',
  INPUT_FIELD_TYPE_CHANGED: 'FIELD_TYPE_CHANGED',
} as const;

const dangerous: Readonly<Record<DangerousChangeType, ChangeKind>> = {
  VALUE_ADDED_TO_ENUM: 'ENUM_VALUE_ADDED',
  TYPE_ADDED_TO_UNION: 'UNION_MEMBER_ADDED',
  OPTIONAL_INPUT_FIELD_ADDED: 'INPUT_FIELD_ADDED',
  OPTIONAL_ARG_ADDED: 'FIELD_ARGUMENT_ADDED',
  IMPLEMENTED_INTERFACE_ADDED: 'OBJECT_TYPE_INTERFACE_ADDED',
  ARG_DEFAULT_VALUE_CHANGE: 'FIELD_ARGUMENT_DEFAULT_CHANGED',
};

/**
 * A value of an enum that is only sent, and an optional field of an input, change nothing for a client that does not
 * know them.
 */
function isSaferThanGraphqlJs({ kind, level }: Change): boolean {
  return level === 'safe' && (kind === 'ENUM_VALUE_ADDED' || kind === 'INPUT_FIELD_ADDED');
}

/** Without its default, a value that is never null must be given: graphql-js calls it dangerous. */
function isMissingDefault({ kind, level }: Change): boolean {
  return level === 'breaking' && kind === 'FIELD_ARGUMENT_DEFAULT_CHANGED';
}

/** graphql-js does not say that responses may have a new implementor of an interface. */
function isOfNewType({ kind, coordinate }: Change, changes: readonly Change[]): boolean {
  return (
    kind === 'OBJECT_TYPE_INTERFACE_ADDED' &&
    changes.some((other) => other.kind === 'TYPE_ADDED' && other.coordinate === coordinate)
  );
}

/** graphql-js does not compare the defaults of an argument whose type changed. */
function isOfAnotherType({ kind, coordinate }: Change, changes: readonly Change[]): boolean {
  return (
    kind === 'FIELD_ARGUMENT_DEFAULT_CHANGED' &&
    changes.some(
      (other) =>
        other.coordinate === coordinate &&
        other.kind === 'FIELD_ARGUMENT_TYPE_CHANGED' &&
        other.level === 'breaking',
    )
  );
}
