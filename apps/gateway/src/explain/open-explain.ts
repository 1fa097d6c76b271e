import { createHash, timingSafeEqual } from 'node:crypto';

import type { AdminRoute } from '@meridian/http';
import { plainText } from '@meridian/http';

import type { RequestFollower } from '../telemetry/record-requests.ts';
import type { ExplainSettings } from '../config/explain-config.ts';
import { explain } from './explanation.ts';
import type { ExplanationRing } from './explanation-ring.ts';
import { createExplanationRing } from './explanation-ring.ts';
import { describeExplanation } from './describe-explanation.ts';

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

/**
 * `GET /explain?id=<trace or request id>` on the admin listener, for a request with the secret as bearer token: text,
 * or JSON for `Accept: application/json`.
 */
function createExplainRoute(ring: ExplanationRing, secret: string): AdminRoute {
  return ({ headers, url = '' }) => {
    if (!isSecret(headers.authorization, secret)) {
      return plainText('Send the secret of meridian.explain as a bearer token.\n', 401, {
        'WWW-Authenticate': 'Bearer realm="meridian"',
      });
    }
    const id = new URL(url, 'http://admin').searchParams.get('id') ?? '';
    const found = ring.find(id);
    if (found.length === 0) {
      return plainText('No recent request has this trace id.\n', 404);
    }
    return headers.accept === 'application/json'
      ? {
          status: 200,
          headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
          body: JSON.stringify(found),
        }
      : plainText(found.map(describeExplanation).join('\n\n'));
  };
}

/** Compares hashes, which have one length, so that timing reveals nothing. */
function isSecret(authorization: string | undefined, secret: string): boolean {
  const [scheme = '', shown = ''] = authorization?.split(' ', 2) ?? [];
  return scheme.toLowerCase() === 'bearer' && timingSafeEqual(sha256(shown), sha256(secret));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
