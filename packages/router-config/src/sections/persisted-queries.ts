import { boolean } from '../declaration/boolean.ts';
import { defaulting, optional } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';

/** Persisted operations, and the rule for other operations. */
export const persistedQueries = section({
  enabled: defaulting(boolean, false),
  /** Logs an operation that is not in the manifest. */
  log_unknown: defaulting(boolean, false),
  safelist: defaulting(
    section({
      /** Only operations of the manifest run. */
      enabled: defaulting(boolean, false),
      /** A request must carry the identifier, never the text. */
      require_id: defaulting(boolean, false),
    }),
    {},
  ),
  /**
   * Manifest files, relative to the working directory. Default: `persisted-queries.json`, reloaded whenever it changes.
   */
  local_manifests: optional(listOf(text())),
  /** Plans the operations of the manifest in advance. */
  experimental_prewarm_query_plan_cache: defaulting(
    section({
      /** Before the gateway takes its first request. */
      on_startup: defaulting(boolean, false),
      /** Before a new supergraph, manifest or configuration replaces the previous one. */
      on_reload: defaulting(boolean, true),
    }),
    {},
  ),
  /** True if changed `local_manifests` are read again. */
  hot_reload: defaulting(boolean, false),
});
