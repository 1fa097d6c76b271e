import { defaulting, optional } from './value-types/key.ts';
import type { ValueOf } from './value-types/value-type.ts';
import { mapOf } from './value-types/map-of.ts';
import { section } from './value-types/section.ts';
import { url } from './value-types/url.ts';
import { apq } from './sections/apq.ts';
import { authentication } from './sections/authentication.ts';
import { authorization } from './sections/authorization.ts';
import { cors } from './sections/cors.ts';
import { csrf } from './sections/csrf.ts';
import { demandControl } from './sections/demand-control.ts';
import { headers } from './sections/headers.ts';
import { healthCheck } from './sections/health-check.ts';
import { includeSubgraphErrors } from './sections/include-subgraph-errors.ts';
import { limits } from './sections/limits.ts';
import { meridian } from './sections/meridian.ts';
import { persistedQueries } from './sections/persisted-queries.ts';
import { sandbox } from './sections/sandbox.ts';
import { supergraph } from './sections/supergraph.ts';
import { telemetry } from './sections/telemetry.ts';
import { trafficShaping } from './sections/traffic-shaping.ts';

/** Every key of the file. Names, places and defaults are Apollo Router 2.16's, except under `meridian`. */
export const routerFile = section({
  apq: defaulting(apq, {}),
  authentication: optional(authentication),
  authorization: defaulting(authorization, {}),
  cors: defaulting(cors, {}),
  csrf: defaulting(csrf, {}),
  demand_control: defaulting(demandControl, {}),
  headers: defaulting(headers, {}),
  health_check: defaulting(healthCheck, {}),
  include_subgraph_errors: defaulting(includeSubgraphErrors, {}),
  limits: defaulting(limits, {}),
  /** Subgraph to URL, instead of the URL in the supergraph. */
  override_subgraph_url: defaulting(mapOf(url(['https', 'http'])), {}),
  persisted_queries: defaulting(persistedQueries, {}),
  sandbox: defaulting(sandbox, {}),
  supergraph: defaulting(supergraph, {}),
  telemetry: defaulting(telemetry, {}),
  traffic_shaping: defaulting(trafficShaping, {}),
  meridian: defaulting(meridian, {}),
});

/**
 * The content of the file, typed: durations in milliseconds, sizes in bytes, absent keys with their defaults.
 */
export type RouterConfig = ValueOf<typeof routerFile>;
