/**
 * True for the media type of an error response that may be a GraphQL response: GraphQL over HTTP §6.4.2, and servers
 * from before it.
 */
export function mayHoldGraphql(mediaType: string | undefined): boolean {
  const [type = ''] = (mediaType ?? '').split(';');
  return types.has(type.trim().toLowerCase());
}

const types: ReadonlySet<string> = new Set(['application/graphql-response+json', 'application/json']);
