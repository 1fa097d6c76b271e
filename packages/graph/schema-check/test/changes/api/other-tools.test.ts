// The classification beside graphql-js' and GraphQL Inspector's, on generated pairs of schemas. Each difference is
// listed with its reason; docs/schema-checks.md has the list.
import { diff } from '@graphql-inspector/core';
import type { Change as InspectorChange } from '@graphql-inspector/core';
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

  it('agrees with GraphQL Inspector about the level of every change, but for the listed differences', async () => {
    const seen = new Set<string>();
    for (const seed of seeds) {
      const [before, after] = schemasOf(seed);
      const ours = compareApi(before, after);
      const left = new Set(ours);
      for (const theirs of await diff(before, after)) {
        const difference = differences.find(({ isIt }) => isIt(theirs, ours));
        const counterpart = counterpartOf(theirs, left);
        if (counterpart !== undefined) {
          left.delete(counterpart);
        }
        const level = levels[theirs.criticality.level];
        if (difference !== undefined) {
          seen.add(difference.reason);
        } else if (counterpart?.level !== level) {
          throw new Error(
            `seed ${seed}: ${theirs.type} of ${theirs.path} is ${level} there and ${counterpart?.level} here`,
          );
        }
      }
      expect(
        [...left]
          .filter((change) => !onlyHere.has(change.kind) && !isOfNewType(change, ours))
          .map(({ kind, coordinate }) => `${kind} ${coordinate}`),
      ).toEqual([]);
    }
    expect([...seen].toSorted()).toEqual(differences.map(({ reason }) => reason).toSorted());
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

/** Neither graphql-js nor GraphQL Inspector says that responses may have a new implementor of an interface. */
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

const levels = { BREAKING: 'breaking', DANGEROUS: 'dangerous', NON_BREAKING: 'safe' } as const;

/** Kinds that GraphQL Inspector has no counterpart of, but for a use of the directive. */
const onlyHere: ReadonlySet<ChangeKind> = new Set([
  'DEPRECATION_ADDED',
  'DEPRECATION_REMOVED',
  'DEPRECATION_REASON_CHANGED',
  'SPECIFIED_BY_CHANGED',
]);

interface Difference {
  readonly reason: string;
  readonly isIt: (theirs: InspectorChange, ours: readonly Change[]) => boolean;
}

const differences: readonly Difference[] = [
  {
    reason: 'What is added is one change here: its parts, descriptions and memberships are new with it',
    isIt: ({ type, path = '' }, ours) =>
      ours.some(
        ({ kind, coordinate }) =>
          kind.endsWith('_ADDED') &&
          (path.startsWith(`${dotted(coordinate)}.`) || (path === dotted(coordinate) && !isAddition(type))),
      ),
  },
  {
    reason: 'Uses of @deprecated, @specifiedBy and @oneOf have kinds of their own here',
    isIt: ({ type }) => type.startsWith('DIRECTIVE_USAGE_') || type.includes('DEPRECATION'),
  },
  {
    reason:
      'A directive that is no longer repeatable breaks operations that repeat it, as graphql-js says: breaking here',
    isIt: ({ type }) => type === 'DIRECTIVE_REPEATABLE_REMOVED',
  },
  {
    reason: 'A default where there was none takes the place of what clients leave out: safe here',
    isIt: ({ type, path = '' }, ours) =>
      type.includes('_DEFAULT_') &&
      ours.some(
        ({ kind, level, coordinate }) =>
          kind.includes('_DEFAULT_') && level === 'safe' && dotted(coordinate) === path,
      ),
  },
  {
    reason: 'A default that goes from a value that is never null makes clients give the value: breaking here',
    isIt: ({ type, path = '' }, ours) =>
      type.includes('_DEFAULT_') &&
      ours.some(
        ({ kind, level, coordinate }) =>
          kind.includes('_DEFAULT_') && level === 'breaking' && dotted(coordinate) === path,
      ),
  },
  {
    reason: 'An enum that is only sent takes another value without harm: safe here',
    isIt: ({ type, path }) => type === 'ENUM_VALUE_ADDED' && path?.startsWith('E3.') === true,
  },
];

/** The additions of elements that have a path of their own. */
function isAddition(type: string): boolean {
  return /^(?:TYPE|FIELD|FIELD_ARGUMENT|INPUT_FIELD|ENUM_VALUE|DIRECTIVE|DIRECTIVE_ARGUMENT)_ADDED$/u.test(
    type,
  );
}

const counterparts: Readonly<Record<string, ChangeKind>> = {
  TYPE_DESCRIPTION_ADDED: 'DESCRIPTION_CHANGED',
  INPUT_FIELD_DEFAULT_VALUE_CHANGED: 'INPUT_FIELD_DEFAULT_CHANGED',
};

function counterpartOf(
  { type, path = '', criticality }: InspectorChange,
  left: ReadonlySet<Change>,
): Change | undefined {
  const required: Readonly<Record<string, ChangeKind>> = {
    FIELD_ARGUMENT_ADDED: 'REQUIRED_ARGUMENT_ADDED',
    INPUT_FIELD_ADDED: 'REQUIRED_INPUT_FIELD_ADDED',
    DIRECTIVE_ARGUMENT_ADDED: 'REQUIRED_DIRECTIVE_ARGUMENT_ADDED',
  };
  const isDescription = type.includes('_DESCRIPTION_');
  const kind = isDescription
    ? 'DESCRIPTION_CHANGED'
    : ((levels[criticality.level] === 'breaking' ? required[type] : undefined) ?? counterparts[type] ?? type);
  return [...left].find(
    (ours) =>
      ours.kind === kind &&
      (dotted(ours.coordinate) === path ||
        ours.coordinate === 'schema' ||
        (path.startsWith('@') && dotted(ours.coordinate).startsWith(path))),
  );
}

/** `Query.orders(first:)` as GraphQL Inspector writes it: `Query.orders.first`. */
function dotted(coordinate: string): string {
  return coordinate.replace('(', '.').replace(':)', '');
}
