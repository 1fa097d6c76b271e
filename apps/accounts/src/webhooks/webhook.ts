/** An endpoint of a tenant that gets its events. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** The types of the events that it gets; null for all. */
  readonly types: readonly string[] | null;
  readonly description: string | null;
  readonly status: WebhookStatus;
  /** Null while it is active. */
  readonly disabledReason: DisabledReason | null;
  /** The first failed attempt since the last success, in ISO 8601; null without one. */
  readonly failingSince: string | null;
  /** ISO 8601 in UTC, with microseconds. */
  readonly createdAt: string;
}

export const webhookStatuses = ['active', 'disabled'] as const;

export type WebhookStatus = (typeof webhookStatuses)[number];

/** By a PATCH; after failures alone for five days; by a 410. */
export const disabledReasons = ['requested', 'failing', 'gone'] as const;

export type DisabledReason = (typeof disabledReasons)[number];

/** An event on its way to a webhook. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly status: DeliveryStatus;
  /** The attempts that have ended. */
  readonly attempts: number;
  /** The status of the last response; null where none came. */
  readonly lastStatus: number | null;
  readonly lastError: DeliveryError | null;
  /** ISO 8601; null unless it is pending. */
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The causes of a failed attempt. They say nothing that only the service's network knows. */
export const deliveryErrors = [
  // A response with another status than 2xx, and with one of 3xx.
  'status',
  'redirect',
  // No response within the deadline.
  'timeout',
  // The name does not resolve, the connection or its TLS failed, the response is not valid HTTP.
  'name-not-found',
  'connection-failed',
  'tls-failed',
  'invalid-response',
  'address-not-allowed',
  // The service cannot decrypt the secrets any more.
  'secret-lost',
  // The log does not have the event any more.
  'event-dropped',
] as const;

export type DeliveryError = (typeof deliveryErrors)[number];

/** The most webhooks of a tenant. */
export const maxWebhooks = 100;
