import type { SubgraphStream, SubscriptionRequest } from '../subgraph-transport.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import { EventQueue } from './event-queue.ts';
import type { EventSource } from './event-source.ts';
import { failureOfStream, subrequestFailure } from './event-source.ts';

export interface StreamsOptions {
  /** By the names of subgraphs. */
  readonly sources: ReadonlyMap<string, EventSource>;
  /** The most events that wait for one consumer. The oldest are dropped for further ones. */
  readonly queueCapacity: number;
  /** Called for each dropped event. */
  readonly onDrop: (subgraph: string) => void;
}

/** Opens streams of subgraphs: `SubgraphTransport.subscribe`. */
export function createStreams<Run>({
  sources,
  queueCapacity,
  onDrop,
}: StreamsOptions): (request: SubscriptionRequest<Run>) => Promise<SubgraphStream> {
  return (request) => {
    const { subgraph, signal } = request;
    const source = sources.get(subgraph);
    if (source === undefined) {
      const message = `router.yaml names no mode for the subscriptions of the subgraph ${subgraph}`;
      return Promise.reject(
        subrequestFailure(subgraph, new SubgraphFailure('SUBREQUEST_HTTP_ERROR', message)),
      );
    }
    if (signal.aborted) {
      return Promise.reject(signal.reason);
    }
    const opening = Promise.withResolvers<SubgraphStream>();
    const queue = new EventQueue(signal, {
      capacity: queueCapacity,
      onDrop: () => onDrop(subgraph),
      onLeave() {
        leave();
        opening.reject(signal.reason);
      },
    });
    const leave = source.open(request, {
      onOpen: () => opening.resolve(queue),
      onEvent: (event) => queue.add(event),
      onEnd(failure) {
        const seen = failure && failureOfStream(subgraph, failure);
        if (seen === undefined) {
          opening.resolve(queue);
        } else {
          opening.reject(seen);
        }
        queue.end(seen);
      },
    });
    return opening.promise;
  };
}
