/** The summary of a product's ratings. */
export interface ProductRating {
  readonly productId: string;
  /** The mean of all ratings, from 1 to 5. */
  readonly average: number;
}
