import { createFairLimit } from '@meridian/http';

import type { TrafficLimits } from '../config/traffic-limits.ts';
import type { RequestLoad } from '../http/limit-load.ts';
import { createLoadLimit, tooManyBytes, tooManyRequests } from '../http/limit-load.ts';

/**
 * Shares the load limits of a process among its graphs, as a graph shares its own among tenants: while there is room,
 * each gets what it asks for; a process that is full, or late, rejects only what a graph asks for beyond its equal share.
 */
export function shareLoad(limits: TrafficLimits['load']) {
  const places = createFairLimit(maxPlaces(limits));
  const bodies = createFairLimit(limits.maxBodyBytes);
  const underWay = new Map<string, number>();
  const count = (graph: string, change: number): void => {
    const left = (underWay.get(graph) ?? 0) + change;
    if (left === 0) {
      underWay.delete(graph);
    } else {
      underWay.set(graph, left);
    }
  };
  /** True for a graph that has at least its equal share of the requests under way. */
  const hasShare = (graph: string): boolean => {
    const own = underWay.get(graph) ?? 0;
    const total = Array.from(underWay.values()).reduce((sum, each) => sum + each, 0);
    return own * underWay.size >= total && own > 0;
  };
  const begin = (graph: string, load: RequestLoad): RequestLoad => {
    let bodyBytes = 0;
    let hasPlace = false;
    return {
      count(bytes) {
        load.count(bytes);
        if (!bodies.take(graph, bytes)) {
          throw tooManyBytes();
        }
        bodyBytes += bytes;
      },
      acquirePlace() {
        load.acquirePlace();
        if (!places.take(graph, 1)) {
          throw tooManyRequests();
        }
        hasPlace = true;
        count(graph, 1);
      },
      release() {
        load.release();
        bodies.release(graph, bodyBytes);
        if (hasPlace) {
          places.release(graph, 1);
          count(graph, -1);
        }
      },
    };
  };
  return {
    /** Creates the load limit of a graph, within the limits of the process. */
    createLoadOf:
      (graph: string): typeof createLoadLimit =>
      (limitsOfGraph, eventLoopDelayMs) => {
        const ofGraph = createLoadLimit(limitsOfGraph, () => (hasShare(graph) ? eventLoopDelayMs() : 0));
        return {
          checkRoom() {
            ofGraph.checkRoom();
            if (!places.hasRoom(graph, 1)) {
              throw tooManyRequests();
            }
          },
          begin: (tenantId) => begin(graph, ofGraph.begin(tenantId)),
        };
      },
    /** Sets other limits. What graphs have taken stays taken. */
    resize(next: TrafficLimits['load']): void {
      places.resize(maxPlaces(next));
      bodies.resize(next.maxBodyBytes);
    },
  };
}

function maxPlaces({ maxInFlight = Number.POSITIVE_INFINITY }: TrafficLimits['load']): number {
  return maxInFlight;
}
