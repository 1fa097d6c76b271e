// Response trimming: a client that sends X-Trim gets no members that are null.
import type { Hooks } from 'meridian-gateway/hooks';

function trim(value: unknown): void {
  for (const [name, member] of typeof value === 'object' ? Object.entries(value ?? {}) : []) {
    if (member !== null) {
      trim(member);
    } else if (!Array.isArray(value)) {
      delete (value as Record<string, unknown>)[name];
    }
  }
}

export default {
  supergraph: {
    request: ({ headers, context }) => void context.set('trim', headers.has('x-trim')),
    response(message) {
      if (message.context.get('trim') === true) {
        trim(message.data);
      }
    },
  },
} satisfies Hooks;
