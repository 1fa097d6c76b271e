// Feature flag: subgraphs see in X-Features what is on for the tenant. A change of flags.json is taken over at once.
import type { Hooks } from 'meridian-gateway/hooks';

import flags from './flags.json' with { type: 'json' };

export default {
  subgraph: {
    request({ caller, headers }) {
      const features = Object.entries(flags)
        .filter(([, tenants]) => caller !== undefined && tenants.includes(caller.tenantId))
        .map(([name]) => name);
      headers.set('x-features', features.join(' '));
    },
  },
} satisfies Hooks;
