/** The subgraphs that get one request for the fetches of a round. */
export interface MergedSubgraphs {
  readonly isMerged: (subgraph: string) => boolean;
  /** False for a while after several merged requests in a row whose response could not be split. */
  readonly mayMerge: (subgraph: string) => boolean;
  readonly noteSplit: (subgraph: string, wasSplit: boolean) => void;
}

const maxFaultsInARow = 3;
const roundsAlone = 100;

export function createMergedSubgraphs(isMerged: (subgraph: string) => boolean): MergedSubgraphs {
  const states = new Map<string, { faults: number; alone: number }>();
  return {
    isMerged,
    mayMerge(subgraph) {
      const state = states.get(subgraph);
      if (state === undefined || state.alone === 0) {
        return true;
      }
      state.alone -= 1;
      return false;
    },
    noteSplit(subgraph, wasSplit) {
      if (wasSplit) {
        states.delete(subgraph);
        return;
      }
      const { faults } = states.get(subgraph) ?? { faults: 0 };
      // The first one after a time alone is a trial.
      states.set(subgraph, { faults: faults + 1, alone: faults + 1 >= maxFaultsInARow ? roundsAlone : 0 });
    },
  };
}
