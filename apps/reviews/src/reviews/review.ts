/** A review as the graph shows it; the product and the author belong to other subgraphs. */
export interface Review {
  readonly id: string;
  readonly productId: string;
  readonly authorId: string;
  /** From 1 to 5. */
  readonly rating: number;
  readonly body: string;
}

/** A review to be added. */
export interface NewReview extends Review {
  /** RFC 3339. Default: now. */
  readonly createdAt?: string;
}

/** A page: the newest reviews of a product, up to a number. */
export interface ReviewPage {
  readonly productId: string;
  readonly first: number;
}
