import type { TokenVerifier } from '@meridian/auth';
import { addResponseField, authenticate, callerOf, negotiate, requireScope } from '@meridian/http';
import type { Middleware } from '@meridian/http';
import { resource } from '@meridian/http/express';
import type { Express, RequestHandler } from 'express';

import { deprecationFields, representationsOf } from '../operation/deprecation.ts';
import type { Operation } from '../operation/operation.ts';

/** A method of a resource: its description and its handler. */
export interface Route {
  readonly operation: Operation;
  readonly handler: RequestHandler<never>;
}

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** The routes of one resource by method. HEAD comes with GET. */
export type ResourceRoutes = Readonly<Partial<Record<Method, Route>>>;

/** The resources of a service by path, such as `/accounts/:id`. It is both served and documented. */
export type RouteTable = Readonly<Record<string, ResourceRoutes>>;

/** @param handler finds the parameters of the path in `request.params` */
export function route<Params = Record<string, string>>(
  operation: Operation,
  handler: RequestHandler<Params>,
): Route {
  return { operation, handler };
}

/** Admits requests to the operations that take a scope. */
export interface Admission {
  readonly verifier: TokenVerifier;
  /** Enforces the rate limit of each tenant. */
  readonly throttle: Middleware;
  /** Sheds load. */
  readonly limitLoad: Middleware;
  /** Called when the successful response to any method but GET is out. */
  readonly onWrite?: (tenantId: string) => void;
}

/**
 * Serves each resource of the table. A request for an operation with a scope has a valid token with that scope, and
 * passes the throttle and the limit of load before its handler.
 */
export function serveRoutes(
  app: Express,
  routes: RouteTable,
  { verifier, throttle, limitLoad, onWrite }: Admission,
): void {
  const authenticated = authenticate(verifier);
  const stepsOf = (method: string, { operation, handler }: Route): RequestHandler<never>[] => [
    ...announceDeprecation(operation),
    ...(operation.scope === 'none'
      ? []
      : [authenticated, requireScope(operation.scope), throttle, limitLoad]),
    ...(operation.variesByAccept === true ? [varyOnAccept] : []),
    ...(method === 'GET' || operation.scope === 'none' || onWrite === undefined
      ? []
      : [announceWrite(onWrite)]),
    handler,
  ];
  for (const [path, methods] of Object.entries(routes)) {
    const steps = Object.entries(methods).map(
      ([method, served]) => [method, stepsOf(method, served)] as const,
    );
    resource<never>(app, path, Object.fromEntries(steps));
  }
}

/** Set before the handler, so that problems, such as 406, have it too. */
const varyOnAccept: Middleware = (request, response, next) => {
  addResponseField(request, response, 'Vary', 'Accept');
  next();
};

function announceWrite(onWrite: (tenantId: string) => void): Middleware {
  return (request, response, next) => {
    response.once('close', () => {
      if (response.statusCode < 300) {
        onWrite(callerOf(request).tenantId);
      }
    });
    next();
  };
}

/** Announces a retired operation, or the retired representation that `Accept` chooses; nothing where none is. */
function announceDeprecation(operation: Operation): readonly Middleware[] {
  const representations = representationsOf(operation);
  const mediaTypes = Object.keys(representations);
  const all = [operation, ...Object.values(representations)];
  if (all.every(({ deprecation }) => deprecation === undefined)) {
    return [];
  }
  return [
    (request, response, next) => {
      const mediaType = negotiate(request.headers.accept, mediaTypes) ?? '';
      const deprecation = operation.deprecation ?? representations[mediaType]?.deprecation;
      for (const [name, value] of deprecationFields(deprecation)) {
        addResponseField(request, response, name, value);
      }
      next();
    },
  ];
}
