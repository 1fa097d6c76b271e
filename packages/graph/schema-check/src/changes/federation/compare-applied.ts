import { argumentOf, printDirective, textArgument } from '@meridian/composition/sdl/directive-values';
import { elementsOf } from '@meridian/composition/sdl/elements';
import { Kind, getNamedType, isInterfaceType, isObjectType, isOutputType, print } from 'graphql';
import type { Supergraph } from '@meridian/executor';

import type { Change } from '../change.ts';
import { changeOf, changesOfTexts, changesOfValue } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import type { KnownDirective } from './authorization.ts';
import { compareAuthorization } from './authorization.ts';

/** Compares the directives of the elements that both supergraphs have. */
export function compareAppliedDirectives(before: Supergraph, after: Supergraph): Change[] {
  const afterwards = appliedIn(after);
  return [...appliedIn(before)].flatMap(([coordinate, one]) => {
    const other = afterwards.get(coordinate);
    if (other === undefined) {
      return [];
    }
    const changes = compareDirectives(coordinate, one, other);
    const isShown = isHidden(one) && !isHidden(other);
    return isShown ? changes.concat(compareVisible(coordinate, afterwards, after)) : changes;
  });
}

/** An element that clients see now. Where nothing asks who the caller is, all callers see what none saw before. */
function compareVisible(
  coordinate: string,
  applied: ReadonlyMap<string, readonly KnownDirective[]>,
  { schema }: Supergraph,
): Change {
  const [typeName = '', fieldName] = coordinate.replace(/\(.*/u, '').split('.');
  const type = schema.getType(typeName);
  const field =
    fieldName !== undefined && (isObjectType(type) || isInterfaceType(type))
      ? type.getFields()[fieldName]
      : undefined;
  const isRead = isOutputType(type) && !(fieldName !== undefined && coordinate.includes('('));
  const around = [coordinate, typeName, field && getNamedType(field.type).name].filter(
    (name) => name !== undefined,
  );
  const isProtected = around.some((name) =>
    applied.get(name)?.some((directive) => authorization.has(directive.name)),
  );
  return changeOf('INACCESSIBLE_REMOVED', coordinate, isRead && !isProtected ? { level: 'security' } : {});
}

function isHidden(directives: readonly KnownDirective[]): boolean {
  return directives.some(({ name }) => name === 'inaccessible');
}

/** Directives that other modules compare: links, and those that graphql-js reads itself. */
const comparedElsewhere = new Set(['deprecated', 'specifiedBy', 'oneOf', 'link', 'core']);

function appliedIn({ document, features }: Supergraph): ReadonlyMap<string, readonly KnownDirective[]> {
  const names = new Map(
    features.flatMap((feature) =>
      specified
        .filter((name) => featureOf(name) === feature.name)
        .map((name) => [feature.directiveName(name), name] as const),
    ),
  );
  return new Map(
    Array.from(elementsOf(document))
      .filter(({ coordinate }) => !coordinate.includes('__') && !coordinate.startsWith('@'))
      .map(({ coordinate, directives }) => [
        coordinate,
        directives.flatMap((node) => {
          const name = names.get(node.name.value) ?? node.name.value;
          return name.startsWith('join__') || comparedElsewhere.has(name) ? [] : [{ name, node }];
        }),
      ]),
  );
}

/** The directives of specifications that have kinds of their own. */
const specified =
  'authenticated requiresScopes policy cost listSize inaccessible tag cacheControl cacheTag pageSize context'.split(
    ' ',
  );

/** The specification of a directive has its name, except the one with two directives. */
function featureOf(directive: string): string {
  return directive === 'listSize' ? 'cost' : directive;
}

const authorization = new Set(['authenticated', 'requiresScopes', 'policy']);

function compareDirectives(
  coordinate: string,
  before: readonly KnownDirective[],
  after: readonly KnownDirective[],
): Change[] {
  const [one, other] = [Map.groupBy(before, groupOf), Map.groupBy(after, groupOf)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) =>
    compareUses(coordinate, name, one.get(name) ?? [], other.get(name) ?? []),
  );
}

/** All that an element needs of callers is compared as one. */
function groupOf({ name }: KnownDirective): string {
  return authorization.has(name) ? 'authenticated' : name;
}

function compareUses(
  coordinate: string,
  name: string,
  before: readonly KnownDirective[],
  after: readonly KnownDirective[],
): Change[] {
  const valueChanges = (kind: ChangeKind): Change[] =>
    changesOfValue(kind, coordinate, textOf(before), textOf(after));
  switch (name) {
    case 'authenticated':
      return compareAuthorization(coordinate, before, after);
    case 'inaccessible':
      return before.length === 0 ? [changeOf('INACCESSIBLE_ADDED', coordinate)] : [];
    case 'tag':
      return changesOfTexts(['TAG_REMOVED', 'TAG_ADDED'], coordinate, before.map(tagOf), after.map(tagOf));
    case 'cost':
    case 'listSize':
    case 'context':
    case 'cacheTag':
      return valueChanges(kindsOfValues[name]);
    case 'cacheControl':
      return valueChanges(isWidened(before[0], after[0]) ? 'CACHE_SCOPE_WIDENED' : 'CACHE_HINT_CHANGED');
    case 'pageSize':
      return valueChanges(maxOf(after) < maxOf(before) ? 'PAGE_SIZE_LOWERED' : 'PAGE_SIZE_RAISED');
    default:
      return changesOfTexts(
        ['DIRECTIVE_USAGE_REMOVED', 'DIRECTIVE_USAGE_ADDED'],
        coordinate,
        before.map(printed),
        after.map(printed),
      );
  }
}

const kindsOfValues = {
  cost: 'COST_CHANGED',
  listSize: 'LIST_SIZE_CHANGED',
  context: 'CONTEXT_CHANGED',
  cacheTag: 'CACHE_TAG_CHANGED',
} as const;

function tagOf({ node }: KnownDirective): string {
  return textArgument(node, 'name') ?? '';
}

/** True if a value that was private, or not cached at all, may now be cached for all callers. */
function isWidened(before: KnownDirective | undefined, after: KnownDirective | undefined): boolean {
  return isPublic(after) && !isPublic(before);
}

/** Without a scope, a hint is public: as Apollo reads it. */
function isPublic(directive: KnownDirective | undefined): boolean {
  if (directive === undefined) {
    return false;
  }
  const maxAge = argumentOf(directive.node, 'maxAge');
  return (
    textArgument(directive.node, 'scope') !== 'PRIVATE' &&
    !(maxAge === undefined || (maxAge.kind === Kind.INT && Number(maxAge.value) <= 0))
  );
}

function maxOf([directive]: readonly KnownDirective[]): number {
  const max = directive && argumentOf(directive.node, 'max');
  return max === undefined ? Number.POSITIVE_INFINITY : Number(print(max));
}

function textOf(directives: readonly KnownDirective[]): string | undefined {
  return directives.length === 0 ? undefined : directives.map(printed).toSorted().join(' ');
}

function printed({ node }: KnownDirective): string {
  return printDirective(node);
}
