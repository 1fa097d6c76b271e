import { readFileSync } from 'node:fs';

import type { SubgraphSchema } from '@meridian/composition';

/** A schema out of test/fixtures, as a subgraph. */
export function fixture(subgraph: string, file: string): SubgraphSchema {
  const sdl = readFileSync(new URL(`fixtures/${file}.graphql`, import.meta.url), 'utf8');
  return { name: subgraph, routingUrl: `http://127.0.0.1/${subgraph}`, sdl };
}
