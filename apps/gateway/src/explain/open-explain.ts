import type { AdminRoute } from '@meridian/http';

import type { RequestFollower } from '../telemetry/record-requests.ts';
import type { ExplainSettings } from '../config/explain-config.ts';
import { createExplainRoute } from './explain-route.ts';
import { explain } from './explanation.ts';
import type { ExplanationRing } from './explanation-ring.ts';
import { createExplanationRing } from './explanation-ring.ts';

/** Finds the explanations of a recent trace, or of one request. */
export type FindExplanations = ExplanationRing['find'];

/** Serves explanations of recent requests to operators. */
export function openExplain({ max_bytes: maxBytes, secret }: ExplainSettings) {
  const ring = createExplanationRing(maxBytes);
  const follower: RequestFollower = {
    follows: () => true,
    take: (record) => ring.add(explain(record)),
  };
  const adminRoutes: Readonly<Record<string, AdminRoute>> =
    secret === undefined ? {} : { '/explain': createExplainRoute(ring, secret) };
  return { follower, adminRoutes, find: (id: string) => ring.find(id) };
}
