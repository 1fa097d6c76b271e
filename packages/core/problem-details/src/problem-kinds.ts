// Every kind of problem of Meridian's REST services. The `type` URI of a problem ends in its key, and each entry has a
// documentation page. Long because it is data.

import type { ProblemRule } from './problem.ts';
import { defineProblems } from './problem.ts';

/** The documentation of one kind of problem, on which clients may rely. */
interface ProblemKindDescription extends ProblemRule {
  /** A few words for a heading. */
  readonly title: string;
  /** Its meaning for the request: says whether anything was done. */
  readonly meaning: string;
  /** The cause of a problem of this kind. */
  readonly cause: string;
  /** The client's remedy. */
  readonly remedy: string;
}

/**
 * The kinds by name, grouped by what they are about.
 *
 * Spec: Errors, "Status codes" and "Error kinds of the account endpoints".
 */
export const problemKinds = {
  // The request as a message
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request could not be understood, and nothing was done.',
    cause: 'The bytes are not a well-formed HTTP/1.1 request, or the path holds a bad percent-escape.',
    remedy: 'Correct the request; sending the same one again fails in the same way.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    meaning: 'The service stopped waiting for the rest of the request, and nothing was done.',
    cause: 'The request, head or body, did not arrive completely in the time that a request may take.',
    remedy: 'Send the request again on a new connection.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request was refused before it was looked at, and nothing was done.',
    cause: 'The request line and the header fields together are over 64 KiB, or the fields are over 200.',
    remedy: 'Send fewer or shorter header fields.',
  },
  'path-too-long': {
    status: 414,
    title: 'Path too long',
    meaning: 'The request was refused before it was looked at, and nothing was done.',
    cause: 'The path is over 4096 characters. A query string is not counted.',
    remedy: 'Check the path against the OpenAPI document: no resource has one that is nearly as long.',
  },
  'route-not-found': {
    status: 404,
    title: 'Route not found',
    meaning: 'The address leads to nothing that this service has.',
    cause: 'No resource has a path of this shape.',
    remedy: 'Check the path against the OpenAPI document; paths are case-sensitive.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address is right and the method is not; nothing was done.',
    cause: 'The resource exists, but does not support this method.',
    remedy: 'Use one of the methods that the Allow header lists.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The service has no representation in a form that the request accepts; nothing was done.',
    cause: 'The Accept header names no media type that the resource can be represented in.',
    remedy: 'Send an Accept header with one of the documented media types, or none.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body was not looked at, and nothing was done.',
    cause: 'The body is declared as something other than the documented media types, or as compressed.',
    remedy: 'Send the body as JSON, without a content coding, and say so in Content-Type.',
  },
  'malformed-body': {
    status: 400,
    title: 'Malformed body',
    meaning: 'The body was refused as a whole, and nothing was done.',
    cause: 'The body is not valid JSON of the documented shape, has unknown fields, or is over the size cap.',
    remedy: 'Correct the body; sending the same one again fails in the same way.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'The request was refused because of one value in it, and nothing was done.',
    cause: 'A query parameter or a request header holds a value outside its documented range.',
    remedy: 'Correct the parameter that the detail names.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'Invalid cursor',
    meaning: 'The service cannot tell which page is requested.',
    cause: 'The cursor was altered, is too old, or was issued for another collection, filter or tenant.',
    remedy: 'Start again from the first page, without a cursor.',
  },

  'cursor-expired': {
    status: 410,
    title: 'Cursor expired',
    meaning: 'The service cannot go on from there: events after that place have been dropped.',
    cause: 'The cursor is older than the log of events.',
    remedy: 'Begin with the oldest event, without a cursor; read the resources to see what was missed.',
  },

  // The caller
  'authentication-required': {
    status: 401,
    title: 'Authentication required',
    meaning: 'The service does not know who is calling, and nothing was done.',
    cause: 'The request carries no bearer token.',
    remedy: 'Get a token and send it as Authorization: Bearer.',
  },
  'invalid-token': {
    status: 401,
    title: 'Invalid token',
    meaning: 'The service cannot trust the token, and nothing was done.',
    cause:
      'The bearer token is malformed, expired, not yet valid, or not from a trusted issuer for this audience.',
    remedy: 'Refresh the token, then send the request again.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Insufficient scope',
    meaning: 'The service knows who is calling, and that they may not do this; nothing was done.',
    cause: 'The token is valid but lacks the scope that this operation needs.',
    remedy: 'Ask for a token with the scope that the WWW-Authenticate header names.',
  },
  throttled: {
    status: 429,
    title: 'Throttled',
    meaning: 'The request was turned away for now, and nothing was done.',
    cause: 'The tenant sent more requests than its share allows.',
    remedy: 'Wait for the seconds that the Retry-After header states, then send the request again.',
    retryAfterSeconds: 1,
  },

  // Accounts and transfers
  'account-not-found': {
    status: 404,
    title: 'Account not found',
    meaning: 'For this caller there is no such account; nothing was done.',
    cause: 'The tenant has no account with this identifier.',
    remedy: 'Check the identifier; list the accounts to see which exist.',
  },
  'account-already-exists': {
    status: 409,
    title: 'Account already exists',
    meaning: 'No account was created, and the existing one is as it was.',
    cause: 'An account with the identifier in the body exists already.',
    remedy: 'Choose another identifier, or update the existing account.',
  },
  'if-match-required': {
    status: 428,
    title: 'If-Match required',
    meaning: 'The write was not applied: a write must name the state of the resource that it is based on.',
    cause:
      'The write carries no If-Match header, so it could overwrite a change that the client has not seen.',
    remedy: 'Read the resource, then send the write with its ETag in If-Match.',
  },
  'stale-etag': {
    status: 412,
    title: 'Stale entity tag',
    meaning: 'The write was not applied: another one came first.',
    cause:
      'The resource has changed since the ETag in If-Match was read, or If-Match holds anything other than one ETag.',
    remedy: 'Read the resource again, apply the change to what it holds now, and send the new ETag.',
  },
  'transfer-not-found': {
    status: 404,
    title: 'Transfer not found',
    meaning: 'For this caller there is no such transfer.',
    cause: 'The tenant has no transfer with this identifier.',
    remedy: 'Check the identifier; list the transfers of the account.',
  },
  'transfer-already-reversed': {
    status: 409,
    title: 'Transfer already reversed',
    meaning: 'The transfer stays reversed as it was, and no money moved.',
    cause: 'The transfer has been reversed before.',
    remedy: 'Nothing is left to do; read the transfer: its reversed_by names the reversal.',
  },
  'transfer-is-reversal': {
    status: 409,
    title: 'Transfer is a reversal',
    meaning: 'The reversal was refused, and no money moved.',
    cause: 'The transfer to reverse is itself the reversal of another one.',
    remedy: 'Make a new transfer instead.',
  },
  'hold-not-found': {
    status: 404,
    title: 'Hold not found',
    meaning: 'For this caller there is no such hold; nothing was done.',
    cause: 'The tenant has no hold with this identifier.',
    remedy: 'Check the identifier; list the holds of the account.',
  },
  'hold-not-pending': {
    status: 409,
    title: 'Hold not pending',
    meaning: 'The hold stays as it ended, and no money moved.',
    cause: 'The hold has been captured or released, or its time is over.',
    remedy: 'Read the hold to see how it ended; make a new one if the amount is needed.',
  },
  'unknown-destination': {
    status: 422,
    title: 'Unknown destination',
    meaning: 'The transfer was refused, and no money moved.',
    cause: 'The account that should receive the transfer does not exist.',
    remedy: 'Correct to_account_id.',
  },
  'same-account': {
    status: 422,
    title: 'Same account',
    meaning: 'The transfer was refused, and no money moved.',
    cause: 'The transfer names the same account as source and destination.',
    remedy: 'Name two different accounts.',
  },
  'insufficient-funds': {
    status: 422,
    title: 'Insufficient funds',
    meaning: 'The transfer was refused, and no money moved.',
    cause:
      'What is available of the account, its balance less what pending holds reserve, is below the amount.',
    remedy: 'Transfer or hold at most what is available.',
  },
  'balance-overflow': {
    status: 422,
    title: 'Balance overflow',
    meaning: 'The transfer was refused, and no money moved.',
    cause: 'A balance after the operation would not fit a signed 64-bit integer.',
    remedy: 'Transfer a smaller amount.',
  },

  // Webhooks
  'webhook-not-found': {
    status: 404,
    title: 'Webhook not found',
    meaning: 'For this caller there is no such webhook; nothing was done.',
    cause: 'The tenant has no webhook with this identifier.',
    remedy: 'Check the identifier; list the webhooks to see which exist.',
  },
  'delivery-not-found': {
    status: 404,
    title: 'Delivery not found',
    meaning: 'The webhook has no such delivery; nothing is sent.',
    cause: 'The identifier is wrong, or the delivery is older than 30 days.',
    remedy: 'List the deliveries of the webhook; read what is older from the log of events.',
  },
  'webhook-url-not-allowed': {
    status: 422,
    title: 'Webhook URL not allowed',
    meaning: 'The URL was refused, and nothing was done.',
    cause:
      'The URL is not an https URL, has credentials, or is at an address that is not of the public internet.',
    remedy: 'Give an https URL without credentials, at a public address.',
  },
  'webhook-limit-reached': {
    status: 409,
    title: 'Webhook limit reached',
    meaning: 'No webhook was created.',
    cause: 'The tenant has as many webhooks as a tenant may have: 100.',
    remedy: 'Delete a webhook that is not needed, or have one receive what several do.',
  },
  'webhook-disabled': {
    status: 409,
    title: 'Webhook disabled',
    meaning: 'The delivery stays as it was, and nothing is sent.',
    cause: 'The webhook was disabled by a request, by a 410 of its receiver, or after five days of failures.',
    remedy: 'Correct the receiver, set the status of the webhook to active, then retry the delivery.',
  },

  // Orders
  'order-not-found': {
    status: 404,
    title: 'Order not found',
    meaning: 'For this caller there is no such order; nothing was done.',
    cause: 'The tenant has no order with this identifier.',
    remedy: 'Check the identifier.',
  },
  'cancellation-not-found': {
    status: 404,
    title: 'Cancellation not found',
    meaning: 'For this caller there is no such cancellation.',
    cause: 'The order has no cancellation with this identifier.',
    remedy: 'Compare the identifier with the Location of the response that created it.',
  },
  'order-already-cancelled': {
    status: 409,
    title: 'Order already cancelled',
    meaning: 'The order stays cancelled as it was; this request added nothing.',
    cause: 'The order has been cancelled before.',
    remedy: 'Nothing is left to do; read the order to see its state.',
  },
  'invalid-transition': {
    status: 409,
    title: 'Invalid transition',
    meaning: 'The order keeps the status that it has.',
    cause: 'The order cannot go from its current status to the requested one.',
    remedy: 'Read the order, and request a status that follows its current one.',
  },

  // Idempotent creation
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'The request was not carried out: its key belongs to another request.',
    cause: 'The Idempotency-Key was used for a request with another body.',
    remedy: 'Use a new key for each new request; repeat a key only with the very same body.',
  },
  'idempotency-key-in-flight': {
    status: 409,
    title: 'Idempotency key in flight',
    meaning: 'This request did nothing; how the first one with its key ends is not known yet.',
    cause: 'A request with the same Idempotency-Key is still being processed.',
    remedy: 'Send the same request again a little later; it then gets the response of the first.',
  },

  // The service itself
  internal: {
    status: 500,
    title: 'Internal error',
    meaning:
      'Something is wrong in the service. A write may have been applied, unless the detail says that it was not.',
    cause: 'The service failed in a way that it was not written to expect.',
    remedy:
      'Report it with the Request-Id of the response. After a write, read the resource before sending it again.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service cannot do its work for now.',
    cause: 'The service is stopping, overloaded, or cannot reach something that it depends on.',
    remedy: 'Wait for the seconds that the Retry-After header states, then send the request again.',
    retryAfterSeconds: 1,
  },
  'upstream-timeout': {
    status: 504,
    title: 'Upstream timeout',
    meaning: 'The service ran out of time before it could respond.',
    cause: 'The store did not respond within the deadline of the request.',
    remedy: 'Wait for the seconds that the Retry-After header states, then send the request again.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, ProblemKindDescription>;

/** The name of a kind of problem: the last segment of its `type` URI. */
export type ProblemKind = keyof typeof problemKinds;

/** Creates a problem of one of Meridian's kinds. */
export const problem = defineProblems(problemKinds);
