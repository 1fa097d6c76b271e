// Audit of mutations: who ran which, when, and its errors. The client's response waits until the line is written.
import { appendFile } from 'node:fs/promises';

import type { Hooks } from 'meridian-gateway/hooks';

const file = process.env['AUDIT_FILE'] ?? 'audit.jsonl';

export default {
  execution: {
    async response({ id, type, isFirst, caller, operationName, errors }) {
      if (type === 'mutation' && isFirst) {
        const who = caller && { tenant: caller.tenantId, subject: caller.subject };
        const codes = errors.map(({ extensions }) => extensions?.['code']);
        const line = { at: new Date(), id, operation: operationName, ...who, codes };
        await appendFile(file, `${JSON.stringify(line)}\n`);
      }
    },
  },
} satisfies Hooks;
