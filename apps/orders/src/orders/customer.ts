/** A customer as the graph shows it. */
export interface Customer {
  readonly id: string;
  readonly name: string;
}
