import { hueAt } from '../../plan/hue-at.ts';

import type { GraphData, MemberData, OperationData, PlaceData, TypeData } from '../graph-data.ts';

/** The content of the page, with its indexes. */
export interface Model extends GraphData {
  readonly typeByName: ReadonlyMap<string, TypeData>;
  readonly operationByKey: ReadonlyMap<string, OperationData>;
  /** The members that an operation uses, by its place in the list. */
  readonly usedBy: (operation: number) => readonly Member[];
  readonly ownersOf: (places: readonly PlaceData[]) => readonly string[];
  readonly hueOf: (subgraph: string) => number;
}

export interface Member {
  readonly type: TypeData;
  readonly member: MemberData;
}

export function createModel(data: GraphData): Model {
  const { subgraphs, types, operations } = data;
  const hues = new Map(subgraphs.map(({ name }, index) => [name, hueAt(index)]));
  let users: ReadonlyMap<number, readonly Member[]> | undefined;
  return {
    ...data,
    typeByName: new Map(types.map((type) => [type.name, type])),
    operationByKey: new Map(operations.map((operation) => [operation.key, operation])),
    usedBy(operation) {
      users ??= membersByOperation(types);
      return users.get(operation) ?? [];
    },
    ownersOf: (places) => [...new Set(places.flatMap(({ subgraph }) => subgraphs[subgraph]?.owners ?? []))],
    hueOf: (subgraph) => hues.get(subgraph) ?? 0,
  };
}

function membersByOperation(types: readonly TypeData[]): ReadonlyMap<number, readonly Member[]> {
  const users = new Map<number, Member[]>();
  for (const type of types) {
    for (const member of type.members) {
      for (const operation of member.operations) {
        const used = users.get(operation) ?? [];
        used.push({ type, member });
        users.set(operation, used);
      }
    }
  }
  return users;
}
