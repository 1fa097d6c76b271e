import express from 'express';
import type { Express, RequestHandler } from 'express';

import { problem } from '@meridian/problem-details';

import { inSequence } from '../middleware/middleware.ts';
import { nameRoute } from '../exchange/request-context.ts';

/** An Express application whose routes are case-sensitive and strict about slashes, and which adds no headers. */
export function createExpressApp(): Express {
  const app = express();
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('x-powered-by');
  app.disable('etag');
  return app;
}

/** The methods that a resource can have, with Express's names for them. */
const verbs = [
  ['GET', 'get'],
  ['PUT', 'put'],
  ['POST', 'post'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
] as const;

/** The steps for each method of a resource, in order; the last one responds. */
export type ResourceMethods<Params> = Readonly<
  Partial<Record<(typeof verbs)[number][0], readonly RequestHandler<Params>[]>>
>;

/**
 * Serves one resource. HEAD comes with GET. Any other method gets 405 before any step, and so before authentication.
 *
 * @example resource(app, '/accounts/:id', { GET: [authenticated, requireScope('accounts:read'), getAccount(accounts)]
 * })
 */
export function resource<Params>(app: Express, path: string, methods: ResourceMethods<Params>): void {
  const route = app.route(path);
  route.all((request, _response, next) => {
    nameRoute(request, path);
    next();
  });
  const allowed: string[] = [];
  for (const [method, verb] of verbs) {
    const steps = methods[method];
    if (steps !== undefined) {
      route[verb]<Params>(inSequence(steps));
      allowed.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    }
  }
  const headers = { Allow: allowed.join(', ') };
  route.all((request) => {
    throw problem('method-not-allowed', `This resource does not support ${request.method}.`, { headers });
  });
}

/** Place it after all routes: 404 `route-not-found`, instead of Express's HTML. */
export const routeNotFound: RequestHandler = () => {
  throw problem('route-not-found', 'No resource has a path of this shape.');
};
