/** A subgraph, and where its schema is. */
export interface SubgraphSource {
  readonly name: string;
  /** Where a gateway reaches the subgraph. */
  readonly routingUrl: string;
  readonly schema: SchemaSource;
}

/** A schema: in a file, as a text, or of the running subgraph at a URL. */
export type SchemaSource =
  | { readonly file: string }
  | { readonly sdl: string }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };
