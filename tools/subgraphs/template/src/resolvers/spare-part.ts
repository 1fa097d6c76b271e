import type { Context } from '../loaders/loaders.ts';
// <entity>
import type { SparePart as StoredSparePart } from '../spare-parts/spare-part.ts';
// </entity>

export const SparePart = {
  __resolveReference: ({ id }: { id: string }, { loaders }: Context) => loaders.sparePartById.load(id),
  // <entity>

  product: ({ productId }: StoredSparePart) => ({ id: productId }),
  // </entity>
};
