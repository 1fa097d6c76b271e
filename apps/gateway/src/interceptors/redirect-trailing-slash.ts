import { trailingSlashRedirect } from '@meridian/http';

import type { RequestInterceptor } from './gateway-request.ts';

/** Redirects a path with a slash at its end to the one without. */
export const redirectTrailingSlash: RequestInterceptor = (request, next) =>
  trailingSlashRedirect(request.exchange.url) ?? next(request);
