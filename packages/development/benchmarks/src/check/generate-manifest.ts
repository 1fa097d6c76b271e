import { createHash } from 'node:crypto';

import type { GraphSize } from './generate-subgraphs.ts';
import { entityCount, neighbour } from './generate-subgraphs.ts';

/**
 * Generates the manifest of a client: operations over all subgraphs in turn, of which each asks for an entity or for a
 * list, for the fields that two other subgraphs add to it, and for the entity that it refers to.
 */
export function generateManifest(operations: number, size: GraphSize): string {
  return JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: Array.from({ length: operations }, (_none, index) => {
      const name = `Operation${index}`;
      const body = operationText(index, name, size);
      return { id: createHash('sha256').update(body).digest('hex'), name, type: 'query', body };
    }),
  });
}

function operationText(index: number, name: string, size: GraphSize): string {
  const subgraph = index % size.subgraphs;
  const entity = Math.floor(index / size.subgraphs) % entityCount(size);
  const id = `${subgraph}_${entity}`;
  const next = `${neighbour(subgraph, 3, size)}_${entity}`;
  const root =
    index % 2 === 0
      ? `query ${name}($id: ID!) {\n  entity${id}(id: $id) {`
      : `query ${name}($filter: Filter${id}) {\n  entities${id}(filter: $filter, first: ${1 + (index % 20)}) {`;
  return `${root}
    id
    name
    state
    details { title price related { id name ... on Entity${id} { description } } }
    stock
    shipping
    next { ...Next }
  }
}
fragment Next on Entity${next} { id name weight details { title body } remarks }`;
}
