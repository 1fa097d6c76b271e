import { listOf, mapOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { text, textLike, urlPath } from '../declaration/value-types.ts';

/** As in a URL. */
export const hostName = textLike({
  pattern: /^[^\s/:@]+$|^\[[0-9a-f:]+\]$/i,
  takes: 'a host name, without a port',
});

/** A claim of a token, and the values of it that count. */
export const claimWithValues = section({
  name: key(text, { required: true, note: 'A claim of the token' }),
  values: key(listOf(text), {
    required: true,
    note: 'The values of the claim that count. A list needs one of them',
  }),
});

/** `meridian.graphs`. */
export const graphs = mapOf(
  section({
    path: key(urlPath, {
      note: 'The path of its endpoint, in the place of supergraph.path. Default: every path that no other graph of the same hosts names',
    }),
    hosts: key(listOf(hostName), {
      note: 'The hosts of this graph, as clients name them: `Host`, or `:authority` of HTTP/2. Default: any. A graph that names the host of a request goes before one that names its path',
    }),
    claim: key(claimWithValues, {
      note: 'Callers of this graph, by their verified token. A caller without such a claim gets the graph of the same hosts and path that names no claim',
    }),
    config: key(text, {
      note: 'A file in the notation of this one. It is merged over this one for this graph, and reloaded with it',
    }),
    supergraph: key(text, {
      note: 'The supergraph, as in SUPERGRAPH_PATH, which is the default',
    }),
  }),
);
