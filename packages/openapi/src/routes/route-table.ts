import { resource } from '@meridian/http';
import type { Express, RequestHandler } from 'express';

import type { Operation } from '../operation/operation.ts';

/** A method of a resource: what it does, and who does it. */
export interface Route {
  readonly operation: Operation;
  readonly handler: RequestHandler<never>;
}

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** The routes of one resource by method. HEAD comes with GET. */
export type ResourceRoutes = Readonly<Partial<Record<Method, Route>>>;

/** The resources of a service by path, such as `/accounts/:id`. It is what is served, and what is documented. */
export type RouteTable = Readonly<Record<string, ResourceRoutes>>;

/** @param handler answers, and finds in `request.params` what the path in the table names */
export function route<Params>(operation: Operation, handler: RequestHandler<Params>): Route {
  return { operation, handler };
}

/**
 * Serves each resource of the table.
 *
 * @param stepsBefore what a request passes before the handler of an operation: who is calling, whether they may
 */
export function serveRoutes(
  app: Express,
  routes: RouteTable,
  stepsBefore: (operation: Operation) => readonly RequestHandler<never>[],
): void {
  for (const [path, methods] of Object.entries(routes)) {
    const steps = Object.entries(methods).map(
      ([method, { operation, handler }]) => [method, [...stepsBefore(operation), handler]] as const,
    );
    resource<never>(app, path, Object.fromEntries(steps));
  }
}
