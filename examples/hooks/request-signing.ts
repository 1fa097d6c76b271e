// Request signing: a subgraph can check that a request is from the gateway, for it, and unchanged.
import { createHmac } from 'node:crypto';

import type { Hooks } from 'meridian-gateway/hooks';

const secret = process.env['SIGNING_SECRET'] ?? '';

export default {
  start() {
    if (secret.length < 32) {
      throw new Error('SIGNING_SECRET needs 32 characters or more');
    }
  },
  subgraph: {
    request({ subgraph, headers, body }) {
      headers.set('x-signature', createHmac('sha256', secret).update(`${subgraph}\n${body}`).digest('hex'));
    },
  },
} satisfies Hooks;
