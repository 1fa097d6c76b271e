/** The prefix of keys in Redis: graphs of one process share none. */
export function ofGraph(prefix: string, graph: string | undefined): string {
  return graph === undefined ? prefix : `${prefix}:${graph}`;
}
