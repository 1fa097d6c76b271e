import type { RouterConfig } from '@meridian/router-config';

/** True where subscriptions are enabled, and at least one mode says how they reach a subgraph. */
export function servesSubscriptions({
  subscription: { enabled, mode },
  meridian: { subscription: own },
}: Pick<RouterConfig, 'subscription' | 'meridian'>): boolean {
  const { passthrough, callback } = mode;
  const modes = [passthrough?.all, callback, own.http.all];
  const named = [passthrough?.subgraphs.size, own.http.subgraphs.size];
  return (
    enabled &&
    (modes.some((one) => one !== undefined) || named.some((size) => size !== undefined && size > 0))
  );
}
