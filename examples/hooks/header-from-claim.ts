// Header from a claim: the role of a caller, as its scopes have it, for subgraphs. They never see the client's own field.
// A claim as it is needs no code: `insert: { name: x-user, from_context: meridian::claim::sub }`.
import type { Hooks } from 'meridian-gateway/hooks';

const roles = { 'admin:write': 'admin', 'costs:read': 'accountant' };

export default {
  subgraph: {
    request({ caller, headers }) {
      const role = Object.entries(roles).find(([scope]) => caller?.scopes.has(scope))?.[1];
      headers.set('x-role', role ?? 'guest');
    },
  },
} satisfies Hooks;
