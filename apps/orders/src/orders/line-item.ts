/** The part of an order about one product; the product belongs to another subgraph. */
export interface LineItem {
  readonly orderId: string;
  readonly productId: string;
  readonly quantity: number;
  readonly unitPriceMinorUnits: number;
}

/** A line item of an order to be added. */
export type NewLineItem = Omit<LineItem, 'orderId'>;

/** A product that goes well with an order. */
export interface Recommendation {
  readonly orderId: string;
  readonly productId: string;
}
