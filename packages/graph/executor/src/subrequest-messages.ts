import type { SubrequestCode } from './result.ts';

/** The messages for clients: they never name a host. */
export const subrequestMessages: Readonly<Record<SubrequestCode, string>> = {
  GATEWAY_TIMEOUT: 'A subgraph took too long to respond',
  SUBREQUEST_HTTP_ERROR: 'A subgraph could not be reached, or failed',
  SUBREQUEST_MALFORMED_RESPONSE: 'A subgraph sent an invalid result',
  REQUEST_CIRCUIT_BREAKER_OPEN: 'A subgraph has failed too often, and is left alone for a while',
  REQUEST_RATE_LIMITED: 'A subgraph has received too many requests',
  SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE: 'The operation costs more than it may in a subgraph',
  WEBSOCKET_CONNECTION_ERROR: 'The stream of a subgraph could not be opened',
  WEBSOCKET_INIT_ERROR: 'The stream of a subgraph could not be opened',
  WEBSOCKET_ACK_ERROR: 'A subgraph refused the stream',
  WEBSOCKET_ACK_ERROR_TIMEOUT: 'A subgraph took too long to open the stream',
  WEBSOCKET_MESSAGE_ERROR: 'A subgraph sent an invalid message',
  WEBSOCKET_CLOSE_ERROR: 'A subgraph closed the stream',
  SUBSCRIPTION_HEARTBEAT_ERROR: 'A subgraph stopped sending heartbeats',
};
