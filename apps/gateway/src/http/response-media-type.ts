/** The media type of a response. GraphQL over HTTP, "Media Types". */
export type ResponseMediaType = 'application/json' | 'application/graphql-response+json';
