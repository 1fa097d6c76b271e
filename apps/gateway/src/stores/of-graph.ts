/** The prefix of keys in Redis: graphs share none. After a colon, a tenant of a gateway of one graph could have its name. */
export function ofGraph(prefix: string, graph: string | undefined): string {
  return graph === undefined ? prefix : `${prefix}@${graph}`;
}
