import type { LineItem as StoredLineItem } from '../store/line-item-store.ts';

export const LineItem = {
  product: ({ productId }: StoredLineItem) => ({ id: productId }),
};
