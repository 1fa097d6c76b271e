/**
 * The part of the OpenAPI document about the service's resources as a whole. The graph is described by its
 * schema.
 */
export const apiDescription = {
  title: 'Meridian orders',
  version: '1.0.0',
  description: [
    'Orders of a tenant and their cancellations, beside what the graph shows of them.',
    'Every request carries a bearer token; what it may see and do is what its tenant and its scopes allow.',
    'Errors are problems (RFC 9457): programs tell them apart by `type`, which is also the address of a page about the kind, and never by `detail`.',
    'Every resource that answers `GET` answers `HEAD` with the same header fields. A path with a slash at its end is redirected to the one without. An unknown path is 404 `route-not-found`, an unknown method 405 `method-not-allowed` with `Allow`.',
  ].join('\n\n'),
  tags: [
    { name: 'Orders', description: 'How far an order has come: read by `ETag`, taken on by `PATCH`.' },
    {
      name: 'Cancellations',
      description: 'The end of an order before it is shipped: who called it off, when and why.',
    },
    { name: 'Documents', description: 'What this service says about itself. No token is needed.' },
  ],
  documentsTag: 'Documents',
} as const;
