// A/B label: a caller is always in the same half, and anonymous ones are in one. Subgraphs, client and log see which.
import { hash } from 'node:crypto';

import type { Hooks } from 'meridian-gateway/hooks';

export default {
  supergraph: {
    request(message) {
      const digest = hash('sha256', `new-search ${message.caller?.subject ?? ''}`);
      const label = Number.parseInt(digest.slice(0, 8), 16) % 2 === 0 ? 'a' : 'b';
      message.context.set('label', label);
      message.note({ label });
    },
    response: ({ isFirst, headers, context }) =>
      isFirst ? headers.set('x-label', String(context.get('label'))) : undefined,
  },
  subgraph: {
    request: ({ headers, context }) => headers.set('x-label', String(context.get('label'))),
  },
} satisfies Hooks;
