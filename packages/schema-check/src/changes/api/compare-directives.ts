import type { GraphQLDirective, GraphQLSchema } from 'graphql';
import { isSpecifiedDirective } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import { pairTexts, pairByKey } from '../pair-by-key.ts';
import { compareDescriptions } from './compare-descriptions.ts';
import type { InputKinds } from './compare-inputs.ts';
import { compareInputs } from './compare-inputs.ts';

const directiveArgumentKinds: InputKinds = {
  added: 'DIRECTIVE_ARGUMENT_ADDED',
  addedLevel: () => 'safe',
  requiredAdded: 'REQUIRED_DIRECTIVE_ARGUMENT_ADDED',
  removed: 'DIRECTIVE_ARGUMENT_REMOVED',
  typeChanged: 'DIRECTIVE_ARGUMENT_TYPE_CHANGED',
  defaultChanged: 'DIRECTIVE_ARGUMENT_DEFAULT_CHANGED',
};

/** Compares the definitions of directives. */
export function compareDirectives(before: GraphQLSchema, after: GraphQLSchema): Change[] {
  const { added, removed, kept } = pairByKey(ownDirectives(before), ownDirectives(after), ({ name }) => name);
  return [
    ...removed.map(({ name }) => changeOf('DIRECTIVE_REMOVED', `@${name}`)),
    ...added.map(({ name }) => changeOf('DIRECTIVE_ADDED', `@${name}`)),
    ...kept.flatMap(([one, other]) => compareDirective(one, other)),
  ];
}

function ownDirectives(schema: GraphQLSchema): readonly GraphQLDirective[] {
  return schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
}

function compareDirective(before: GraphQLDirective, after: GraphQLDirective): Change[] {
  const coordinate = `@${before.name}`;
  const locations = pairTexts(before.locations, after.locations);
  const repeatable = after.isRepeatable ? 'DIRECTIVE_REPEATABLE_ADDED' : 'DIRECTIVE_REPEATABLE_REMOVED';
  return [
    ...compareDescriptions(coordinate, before, after),
    ...locations.removed.map((name) => changeOf('DIRECTIVE_LOCATION_REMOVED', coordinate, { before: name })),
    ...locations.added.map((name) => changeOf('DIRECTIVE_LOCATION_ADDED', coordinate, { after: name })),
    ...(before.isRepeatable === after.isRepeatable ? [] : [changeOf(repeatable, coordinate)]),
    ...compareInputs(before.args, after.args, directiveArgumentKinds, (name) => `${coordinate}(${name}:)`),
  ];
}
