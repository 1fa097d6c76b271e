/** The part of the OpenAPI document about the service as a whole. */
export const apiDescription = {
  title: 'Meridian accounts',
  version: '1.0.0',
  description: [
    'Accounts and transfers of a tenant, for conditional reads and writes that lose no update.',
    'Every request carries a bearer token; its tenant and its scopes decide what it may see and do.',
    'Errors are problems (RFC 9457): programs tell them apart by `type`, which is also the address of a page about the kind, and never by `detail`.',
    'Every resource that supports `GET` supports `HEAD`, with the same header fields. A path with a trailing slash is redirected to the one without. An unknown path is 404 `route-not-found`, an unknown method 405 `method-not-allowed` with `Allow`.',
    'Integers are signed 64-bit numbers, exact both ways. For clients without such integers an account is also available as `application/vnd.meridian.account.v2+json`, with its balance as a decimal string.',
  ].join('\n\n'),
  tags: [
    { name: 'Accounts', description: 'Balances, read by `ETag` and written by compare-and-swap.' },
    { name: 'Transfers', description: 'Money that moves from one account to another, in double entry.' },
    { name: 'Ledger', description: 'Each change of a balance, and the balance at any moment.' },
    {
      name: 'Holds',
      description: 'Parts of a balance that are reserved until they are captured, released or expired.',
    },
    { name: 'Events', description: 'Each change of an account, a transfer or a hold, told once.' },
    {
      name: 'Webhooks',
      description: 'Endpoints that get each event, signed, without asking. Standard Webhooks 1.0.',
    },
    { name: 'Documents', description: 'Documents about this service. No token is needed.' },
  ],
  documentsTag: 'Documents',
} as const;
