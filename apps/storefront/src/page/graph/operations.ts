// The operations of the page, from the files that the manifest is made of, with the types of their results.
import type { TypedDocumentNode } from '@apollo/client';
import { gql } from '@apollo/client';

import addReviewText from '../../../operations/add-review.graphql';
import cancelOrderText from '../../../operations/cancel-order.graphql';
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

/** A product is null where its reviews could not be had. */
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

export const cancelOrder: TypedDocumentNode<
  { cancelOrder: { id: string; status: string } },
  { id: string; reason: string }
> = gql(cancelOrderText);
