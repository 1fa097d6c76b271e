/** The media type of a response. GraphQL over HTTP, "Media Types". */
export type ResponseMediaType = 'application/json' | 'application/graphql-response+json' | typeof eventStream;

/** GraphQL over SSE, distinct connections mode. */
export const eventStream = 'text/event-stream; charset=utf-8';

/** The formats of a response that comes in parts, by the parameter of `Accept` that asks for it. */
export type StreamFormat = DeferFormat | SubscriptionFormat;

/**
 * The formats of a deferred result. `defer-20220824`: Apollo's `deferSpec=20220824`, incremental delivery v0.1.
 * `defer-v0.2`: `incrementalSpec=v0.2`, of graphql-js 17.
 */
export type DeferFormat = 'defer-20220824' | 'defer-v0.2';

/** `multipart`: Apollo's `subscriptionSpec=1.0`. `sse`: the distinct connections mode of GraphQL over SSE. */
export type SubscriptionFormat = 'multipart' | 'sse';

/** The media types of a request body. */
export const bodyMediaTypes = ['application/json', 'application/graphql+json'] as const;
