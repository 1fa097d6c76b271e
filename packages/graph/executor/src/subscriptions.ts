// The protocols of subscriptions, apart from the executor: their libraries are loaded only where they are configured.
export {
  type CallbackHandlers,
  type CallbackReceiver,
  type CallbackSourceOptions,
  type ExpectedCallbacks,
  createCallbackSource,
} from './transport/subscriptions/callback-source.ts';
export type {
  EventSource,
  StreamFailure,
  StreamRequest,
  StreamSink,
} from './transport/subscriptions/event-source.ts';
export {
  type HttpSourceOptions,
  createHttpSource,
  createStreamAgent,
} from './transport/subscriptions/http-source.ts';
export { type KeepStreamsOptions, keepStreams } from './transport/subscriptions/keep-streams.ts';
export { type SubgraphCallback, readCallback } from './transport/subscriptions/read-callback.ts';
export { type ShareStreamsOptions, shareStreams } from './transport/subscriptions/share-streams.ts';
export { type StreamsOptions, createStreams } from './transport/subscriptions/subscribe-transport.ts';
export {
  type WebSocketSourceOptions,
  createWebSocketSource,
} from './transport/subscriptions/web-socket-source.ts';
