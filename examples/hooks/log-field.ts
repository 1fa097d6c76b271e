// Log field: the log line of a request says which object it is about, and how much its subgraphs sent.
import type { Hooks } from 'meridian-gateway/hooks';

export default {
  supergraph: {
    request(message) {
      message.note({ about: message.variables['id'] });
    },
  },
  subgraph: {
    response(message) {
      const before = Number(message.context.get('bytes') ?? 0);
      message.context.set('bytes', before + Buffer.byteLength(message.body));
      message.note({ subgraph_bytes: message.context.get('bytes') });
    },
  },
} satisfies Hooks;
