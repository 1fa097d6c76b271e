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
export interface Explain {
  readonly follower: RequestFollower;
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  readonly find: FindExplanations;
}

export function openExplain({ max_bytes: maxBytes, secret }: ExplainSettings): Explain {
  const ring = createExplanationRing(maxBytes);
  return {
    follower: { follows: () => true, take: (record) => ring.add(explain(record)) },
    adminRoutes: secret === undefined ? {} : { '/explain': createExplainRoute(ring, secret) },
    find: (id) => ring.find(id),
  };
}
