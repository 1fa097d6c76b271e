// The operations of the page, with the types of their results. The manifest is made from the same files.
import type { TypedDocumentNode } from '@apollo/client';
import { gql } from '@apollo/client';

import addReviewText from '../../../operations/add-review.graphql';
import cancelOrderText from '../../../operations/cancel-order.graphql';
import orderChangedText from '../../../operations/order-changed.graphql';
import orderDetailsText from '../../../operations/order-details.graphql';
import productDetailsText from '../../../operations/product-details.graphql';
import recentOrdersText from '../../../operations/recent-orders.graphql';
import topProductsText from '../../../operations/top-products.graphql';

export interface Review {
  readonly id: string;
  readonly rating: number;
  readonly body: string;
  readonly author: { readonly id: string; readonly name: string } | null;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly priceMinorUnits: number;
  readonly averageRating: number | null;
  readonly reviews: readonly Review[];
}

export interface Order {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
  readonly customer: { readonly id: string; readonly name: string } | null;
}

export interface OrderDetails extends Order {
  readonly lineItems: readonly {
    readonly quantity: number;
    readonly unitPriceMinorUnits: number;
    readonly product: { readonly id: string; readonly name: string } | null;
  }[];
}

/** Null for a product whose reviews could not be fetched. */
export const topProducts: TypedDocumentNode<{ topProducts: (Product | null)[] }, { first?: number }> =
  gql(topProductsText);

export const productDetails: TypedDocumentNode<{ product: Product | null }, { id: string }> =
  gql(productDetailsText);

export const addReview: TypedDocumentNode<
  { addReview: Review },
  { productId: string; rating: number; body: string }
> = gql(addReviewText);

export const recentOrders: TypedDocumentNode<{ orders: (Order | null)[] }, { first?: number }> =
  gql(recentOrdersText);

export const orderDetails: TypedDocumentNode<{ order: OrderDetails | null }, { id: string }> =
  gql(orderDetailsText);

export const orderChanged: TypedDocumentNode<
  { orderChanged: Pick<Order, 'id' | 'status'> | null },
  { id: string }
> = gql(orderChangedText);

export const cancelOrder: TypedDocumentNode<
  { cancelOrder: { id: string; status: string } },
  { id: string; reason: string }
> = gql(cancelOrderText);
