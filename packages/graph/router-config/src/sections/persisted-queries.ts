import { listOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { boolean, text } from '../declaration/value-types.ts';

/** Persisted operations, and the rule for other operations. */
export const persistedQueries = section({
  enabled: flag('Lets requests name operations by identifiers of a manifest'),
  log_unknown: flag('Logs operations that are not in the manifest'),
  safelist: section({
    enabled: flag('Runs operations of the manifest only'),
    require_id: flag('Requires the identifier in a request, and rejects texts'),
  }),
  local_manifests: key(listOf(text), {
    note: 'Manifest files, folders of them (*.json) and globs, in the formats of Apollo, Relay, graphql-codegen and Apollo Kotlin; they replace Apollo’s registry. Default: persisted-queries.json, which is always reloaded when it changes',
    formerly: ['experimental_local_manifests'],
  }),
  experimental_prewarm_query_plan_cache: section({
    on_startup: key(boolean, {
      default: false,
      note: 'Plans operations of the manifest: the first 200 before the gateway listens, the others beside requests',
      formerly: [['', (value) => (typeof value === 'boolean' ? value : undefined)]],
    }),
    on_reload: key(boolean, {
      default: true,
      note: 'Plans them when the supergraph or the manifest changes',
    }),
  }),
  hot_reload: flag('Reloads local_manifests when they change'),
});
