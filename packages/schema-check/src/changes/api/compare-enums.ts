import type { GraphQLEnumType } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import { pairByKey } from '../pair-by-key.ts';
import { compareDescriptions } from './compare-descriptions.ts';

/** @param isOutput false for an enum that clients only send: a new value harms none of them */
export function compareEnums(before: GraphQLEnumType, after: GraphQLEnumType, isOutput: boolean): Change[] {
  const { added, removed, kept } = pairByKey(before.getValues(), after.getValues(), ({ name }) => name);
  const coordinate = (name: string): string => `${before.name}.${name}`;
  return [
    ...removed.map(({ name }) => changeOf('ENUM_VALUE_REMOVED', coordinate(name), { before: name })),
    ...added.map(({ name }) =>
      changeOf('ENUM_VALUE_ADDED', coordinate(name), { after: name, level: isOutput ? 'dangerous' : 'safe' }),
    ),
    ...kept.flatMap(([one, other]) => compareDescriptions(coordinate(one.name), one, other)),
  ];
}
