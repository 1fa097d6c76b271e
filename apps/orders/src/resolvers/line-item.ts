import type { LineItem as StoredLineItem } from '../orders/line-item.ts';

export const LineItem = {
  product: ({ productId }: StoredLineItem) => ({ id: productId }),
};
