// API key: a request needs one of the keys in API_KEYS, such as {"<SHA-256 of the key in hex>": "billing"}.
import { hash } from 'node:crypto';

import type { Hooks } from 'meridian-gateway/hooks';

const owners = JSON.parse(process.env['API_KEYS'] ?? '{}') as Record<string, string>;
const errors = [{ message: 'Send your key as X-API-Key', extensions: { code: 'UNAUTHENTICATED' } }];

export default {
  router: {
    request(message) {
      const digest = hash('sha256', message.headers.get('x-api-key') ?? '');
      if (!Object.hasOwn(owners, digest)) {
        return { status: 401, errors };
      }
      message.note({ key_of: owners[digest] });
      return undefined;
    },
  },
} satisfies Hooks;
