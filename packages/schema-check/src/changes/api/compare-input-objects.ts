import type { GraphQLInputObjectType } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import type { InputKinds } from './compare-inputs.ts';
import { compareInputs } from './compare-inputs.ts';

const inputFieldKinds: InputKinds = {
  added: 'INPUT_FIELD_ADDED',
  // A default is a value that the client did not send.
  addedLevel: (hasDefault) => (hasDefault ? 'dangerous' : 'safe'),
  requiredAdded: 'REQUIRED_INPUT_FIELD_ADDED',
  removed: 'INPUT_FIELD_REMOVED',
  typeChanged: 'INPUT_FIELD_TYPE_CHANGED',
  defaultChanged: 'INPUT_FIELD_DEFAULT_CHANGED',
};

export function compareInputObjects(before: GraphQLInputObjectType, after: GraphQLInputObjectType): Change[] {
  const oneOf = before.isOneOf === after.isOneOf ? [] : [oneOfChange(after)];
  return [
    ...oneOf,
    ...compareInputs(
      Object.values(before.getFields()),
      Object.values(after.getFields()),
      inputFieldKinds,
      (name) => `${before.name}.${name}`,
    ),
  ];
}

function oneOfChange({ name, isOneOf }: GraphQLInputObjectType): Change {
  return changeOf(isOneOf ? 'ONE_OF_ADDED' : 'ONE_OF_REMOVED', name);
}
