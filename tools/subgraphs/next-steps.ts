import type { App } from '@meridian/local-stack/apps';
import type { GraphType } from '@meridian/composition/graph-types';

import type { TypeWords } from './type-words.ts';

/** A subgraph as it was created. */
export interface CreatedSubgraph {
  readonly app: App;
  readonly words: TypeWords;
  /** The type of another subgraph that it extends. */
  readonly entity: GraphType | undefined;
}

/** The machine on which it was created. */
export interface Surroundings {
  /** The steps that need tools which this machine lacks. */
  readonly left: readonly string[];
  /** True beside a running `pnpm start` or `pnpm dev`. */
  readonly isStackRunning: boolean;
}

/** The next steps for the person who created a subgraph, in their order. */
export function nextSteps(
  { app, words: { type, many }, entity }: CreatedSubgraph,
  { left, isStackRunning }: Surroundings,
): string {
  const joined = entity?.fields.some(({ name }) => name === 'name') === true ? 'name' : 'id';
  const selection = entity === undefined ? 'id name' : `id name ${lowerFirst(entity.name)} { ${joined} }`;
  const operation = `query New { ${many}(first: 2) { ${selection} } }`;
  const steps = [
    `pnpm test:suite apps/${app.name}    runs its tests`,
    ...(isStackRunning
      ? [`stop the running stack: its gateway may have the new graph, but it does not run ${app.name}`]
      : []),
    `pnpm dev --only ${app.name}    runs the graph. In its explorer: ${operation}`,
    ...left,
    'pnpm verify    before you push',
  ];
  return `${type} is served at port ${app.port}, owned by ${app.owner}. Next:\n${steps.map((step) => `  ${step}`).join('\n')}`;
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
