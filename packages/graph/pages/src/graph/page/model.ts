import { createContext, useContext } from 'react';

import { colourAt } from '../../plan/colour-at.ts';
import type { GraphData, MemberData, OperationData, PlaceData, TypeData } from '../graph-data.ts';

/** The content of the page, with its indexes. */
type IndexedGraph = ReturnType<typeof createModel>;

export interface Member {
  readonly type: TypeData;
  readonly member: MemberData;
}

export const Model = createContext<IndexedGraph | undefined>(undefined);

export function useModel(): IndexedGraph {
  const model = useContext(Model);
  if (model === undefined) {
    throw new Error('outside the page');
  }
  return model;
}

export function createModel(data: GraphData) {
  const { subgraphs, types, operations } = data;
  const colours = new Map(subgraphs.map(({ name }, index) => [name, colourAt(index)]));
  return {
    ...data,
    typeByName: new Map(types.map((type) => [type.name, type])),
    /** The members that an operation uses. */
    usedBy(operation: OperationData): readonly Member[] {
      const place = operations.indexOf(operation);
      return types.flatMap((type) =>
        type.members.flatMap((member) =>
          member.operations?.includes(place) === true ? { type, member } : [],
        ),
      );
    },
    ownersOf: (places: readonly PlaceData[]): readonly string[] => [
      ...new Set(places.flatMap(({ subgraph }) => subgraphs[subgraph]?.owners ?? [])),
    ],
    colourOf: (subgraph: string): string => colours.get(subgraph) ?? 'currentColor',
  };
}

type Address =
  | readonly [kind: 'type' | 'subgraph' | 'operation', name: string]
  | readonly [kind: 'field', type: string, field: string];

/** The address of a view: the fragment of the page's URL. */
export function addressOf(...address: Address): string {
  return `#${address.map(encodeURIComponent).join('/')}`;
}

/** The parts of an address. Nothing has the names of one that is malformed. */
export function partsOf(fragment: string): readonly string[] {
  return fragment.replace('#', '').split('/').map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
