// Tenant from the host name: acme.shop.example is for acme. A token of another tenant is rejected there.
import type { Hooks } from 'meridian-gateway/hooks';

const errors = [{ message: 'Not a host of yours', extensions: { code: 'FORBIDDEN' } }];

export default {
  supergraph: {
    request({ headers, caller, context }) {
      const tenant = /^([a-z0-9-]+)\.shop\.example(?::\d+)?$/.exec(headers.get('host') ?? '')?.[1];
      if (tenant === undefined || (caller !== undefined && caller.tenantId !== tenant)) {
        return { status: 403, errors };
      }
      context.set('tenant', tenant);
      return undefined;
    },
  },
  subgraph: {
    request({ headers, context }) {
      headers.set('x-tenant', String(context.get('tenant')));
    },
  },
} satisfies Hooks;
