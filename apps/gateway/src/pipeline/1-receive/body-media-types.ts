/** The media types of a request body. */
export const bodyMediaTypes = ['application/json', 'application/graphql+json'] as const;
