import { useQuery, useSubscription } from '@apollo/client/react';
import type { ReactElement } from 'react';
import { CombinedGraphQLErrors } from '@apollo/client';
import { useEffect, useRef } from 'react';

import { orderDetails, orderChanged } from '../graph/operations.ts';
import { Notice } from './notice.tsx';
import { Price } from './figures.tsx';

/** The page of one order: its status, which changes while the page is open, and what was bought. */
export function OrderView({ id }: { readonly id: string }): ReactElement {
  const { data, error, loading, refetch } = useQuery(orderDetails, {
    variables: { id },
    errorPolicy: 'all',
  });
  useOrderChanges(id, refetch);
  const order = data?.order;
  return (
    <>
      <h2>Order</h2>
      <Notice error={error} isLoading={loading && data === undefined} />
      {order === null && error === undefined && <p>There is no such order.</p>}
      {order && (
        <>
          <p>
            Status <strong role="status">{order.status.toLowerCase()}</strong>
          </p>
          <table className="entries">
            <caption>For {order.customer?.name ?? 'a customer'}</caption>
            <thead>
              <tr>
                <th scope="col">Product</th>
                <th scope="col">Quantity</th>
                <th scope="col">Price each</th>
              </tr>
            </thead>
            <tbody>
              {order.lineItems.map(({ product, quantity, unitPriceMinorUnits }, index) => (
                <tr key={product?.id ?? index}>
                  <td>{product?.name ?? '–'}</td>
                  <td>{quantity}</td>
                  <td>
                    <Price minorUnits={unitPriceMinorUnits} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}

const pauseMs = 1000;
/** After the gateway has rejected the subscription, which it may do again. */
const pauseAfterRejectionMs = 30_000;

/**
 * Follows an order while it is shown. An event has the order's key and its status, so the cache updates what queries show.
 * A stream that has ended, as with the token or with the gateway's process, is opened again.
 *
 * @param readAgain reads the order, which may have changed while there was no stream
 */
function useOrderChanges(id: string, readAgain: () => Promise<unknown>): void {
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
