import type { Context } from '../loaders/loaders.ts';
// <entity>
import type { Sample as StoredSample } from '../samples/sample.ts';
// </entity>

export const Sample = {
  __resolveReference: ({ id }: { id: string }, { loaders }: Context) => loaders.sampleById.load(id),
  // <entity>

  product: ({ productId }: StoredSample) => ({ id: productId }),
  // </entity>
};
