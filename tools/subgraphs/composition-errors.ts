import { existsSync, readFileSync } from 'node:fs';

import type { Member } from '@meridian/local-stack/apps';
import { composeSupergraph } from '@meridian/composition';
import type { SubgraphSchema } from '@meridian/composition';

import { routingUrlOf } from '../apps/registrations.ts';

/** The errors of the composition of these subgraphs, whose schemas are in their folders, and of another one. */
export function compositionErrors(subgraphs: readonly Member[], added?: SubgraphSchema): string[] {
  const schemas = subgraphs
    .map((member) => ({ member, file: `apps/${member.name}/schema.graphql` }))
    .filter(({ file }) => existsSync(file))
    .map(({ member, file }) => ({
      name: member.name,
      routingUrl: routingUrlOf(member),
      sdl: readFileSync(file, 'utf8'),
    }));
  const { errors = [] } = composeSupergraph(added === undefined ? schemas : [...schemas, added]);
  return errors.map(({ message }) => message);
}
