import type { GraphQLField, GraphQLInterfaceType, GraphQLObjectType } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import { pairByKey } from '../pair-by-key.ts';
import { compareDescriptions } from './compare-descriptions.ts';
import type { InputKinds } from './compare-inputs.ts';
import { compareInputs } from './compare-inputs.ts';
import { isSafeOutputChange } from './type-compatibility.ts';

type Parent = GraphQLObjectType | GraphQLInterfaceType;
type Field = GraphQLField<unknown, unknown>;

const argumentKinds: InputKinds = {
  added: 'FIELD_ARGUMENT_ADDED',
  addedLevel: () => 'dangerous',
  requiredAdded: 'REQUIRED_ARGUMENT_ADDED',
  removed: 'FIELD_ARGUMENT_REMOVED',
  typeChanged: 'FIELD_ARGUMENT_TYPE_CHANGED',
  defaultChanged: 'FIELD_ARGUMENT_DEFAULT_CHANGED',
};

/** Compares the fields of an object or an interface. */
export function compareFields(before: Parent, after: Parent): Change[] {
  const { added, removed, kept } = pairByKey(
    Object.values(before.getFields()),
    Object.values(after.getFields()),
    ({ name }) => name,
  );
  const coordinate = ({ name }: Field): string => `${before.name}.${name}`;
  return [
    ...removed.map((field) => changeOf('FIELD_REMOVED', coordinate(field), { before: String(field.type) })),
    ...added.map((field) => changeOf('FIELD_ADDED', coordinate(field), { after: String(field.type) })),
    ...kept.flatMap(([one, other]) => compareField(one, other, coordinate(one))),
  ];
}

function compareField(before: Field, after: Field, coordinate: string): Change[] {
  const changes = compareDescriptions(coordinate, before, after);
  const types = { before: String(before.type), after: String(after.type) };
  if (types.before !== types.after) {
    const level = isSafeOutputChange(before.type, after.type) ? 'safe' : 'breaking';
    changes.push(changeOf('FIELD_TYPE_CHANGED', coordinate, { ...types, level }));
  }
  return [
    ...changes,
    ...compareInputs(before.args, after.args, argumentKinds, (name) => `${coordinate}(${name}:)`),
  ];
}
