/**
 * The part of the OpenAPI document about the service's resources as a whole. The graph is described by its
 * schema.
 */
export const apiDescription = {
  title: 'Meridian orders',
  version: '1.0.0',
  description: [
    'Orders of a tenant, their cancellations, and the events of both. The graph shows orders as well.',
    'Every request carries a bearer token; its tenant and its scopes decide what it may see and do.',
    'Errors are problems (RFC 9457): programs tell them apart by `type`, which is also the address of a page about the kind, and never by `detail`.',
    'Every resource that supports `GET` supports `HEAD`, with the same header fields. A path with a trailing slash is redirected to the one without. An unknown path is 404 `route-not-found`, an unknown method 405 `method-not-allowed` with `Allow`.',
  ].join('\n\n'),
  tags: [
    { name: 'Orders', description: 'The progress of an order: read with an `ETag`, changed by `PATCH`.' },
    {
      name: 'Cancellations',
      description: 'The end of an order before it is shipped: who cancelled it, when and why.',
    },
    {
      name: 'Events',
      description: 'Every change of an order, once, in an order that a reader can go on from.',
    },
    { name: 'Documents', description: 'Documents about this service. No token is needed.' },
  ],
  documentsTag: 'Documents',
} as const;
