import type { LineItem as StoredLineItem } from '../store/line-items.ts';

export const LineItem = {
  product: ({ productId }: StoredLineItem) => ({ id: productId }),
};
