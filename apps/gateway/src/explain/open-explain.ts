import type { AdminRoute } from '@meridian/http';

import type { RequestFollower } from '../telemetry/record-requests.ts';
import type { ExplainConfig } from '../config/explain-config.ts';
import { createExplainRoute } from './explain-route.ts';
import { explain } from './explanation.ts';
import { createExplanationRing } from './explanation-ring.ts';

/** Serves explanations of recent requests to operators. */
export interface Explain {
  readonly follower: RequestFollower;
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
}

export function openExplain({ maxBytes, secret }: ExplainConfig): Explain {
  const ring = createExplanationRing(maxBytes);
  return {
    follower: { follows: () => true, take: (record) => ring.add(explain(record)) },
    adminRoutes: { '/explain': createExplainRoute(ring, secret) },
  };
}
