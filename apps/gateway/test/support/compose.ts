import { composeSupergraph } from '@meridian/composition';

/**
 * The supergraph of subgraphs.
 *
 * @throws {Error} with the faults of a composition that fails
 */
export function compose(subgraphs: Parameters<typeof composeSupergraph>[0]): string {
  const { errors, supergraphSdl } = composeSupergraph(subgraphs);
  if (errors !== undefined) {
    throw new Error(errors.map(({ message }) => message).join('\n'));
  }
  return supergraphSdl;
}
