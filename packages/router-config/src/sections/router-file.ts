import { defaulting, optional } from '../declaration/key.ts';
import type { ValueOf } from '../declaration/value-type.ts';
import { mapOf } from '../declaration/map-of.ts';
import { section } from '../declaration/section.ts';
import { url } from '../declaration/url.ts';
import { apq } from './apq.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { cors } from './cors.ts';
import { csrf } from './csrf.ts';
import { demandControl } from './demand-control.ts';
import { headers } from './headers.ts';
import { healthCheck } from './health-check.ts';
import { includeSubgraphErrors } from './include-subgraph-errors.ts';
import { limits } from './limits.ts';
import { meridian } from './meridian.ts';
import { persistedQueries } from './persisted-queries.ts';
import { sandbox } from './sandbox.ts';
import { supergraph } from './supergraph.ts';
import { telemetry } from './telemetry.ts';
import { trafficShaping } from './traffic-shaping.ts';

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
