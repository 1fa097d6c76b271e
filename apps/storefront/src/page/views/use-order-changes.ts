import { CombinedGraphQLErrors } from '@apollo/client';
import { useSubscription } from '@apollo/client/react';
import { useEffect, useRef } from 'react';

import { orderChanged } from '../graph/operations.ts';

const pauseMs = 1000;
/** After the gateway has rejected the subscription, which it may do again. */
const pauseAfterRejectionMs = 30_000;

/**
 * Follows an order while it is shown. An event has the order's key and its status, so the cache updates what queries show.
 * A stream that has ended, as with the token or with the gateway's process, is opened again.
 *
 * @param readAgain reads the order, which may have changed while there was no stream
 */
export function useOrderChanges(id: string, readAgain: () => Promise<unknown>): void {
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reading = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A rejection is an error first, then the end of the stream: the first of the two counts.
  const openAfter = (afterMs: number): void => {
    opening.current ??= setTimeout(() => {
      opening.current = undefined;
      restart();
      clearTimeout(reading.current);
      reading.current = setTimeout(() => void readAgain().catch(() => undefined), pauseMs);
    }, afterMs);
  };
  const { restart } = useSubscription(orderChanged, {
    variables: { id },
    onError: (error) => openAfter(CombinedGraphQLErrors.is(error) ? pauseAfterRejectionMs : pauseMs),
    onComplete: () => openAfter(pauseMs),
  });
  useEffect(
    () => () => {
      clearTimeout(opening.current);
      clearTimeout(reading.current);
    },
    [],
  );
}
