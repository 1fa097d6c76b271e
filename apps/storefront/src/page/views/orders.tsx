import { useMutation, useQuery } from '@apollo/client/react';
import type { ReactElement } from 'react';

import { cancelOrder, recentOrders } from '../graph/operations.ts';
import { Notice } from './notice.tsx';

/** The month in letters: 02/03 is another day in other countries. */
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** The newest orders; those that are not on their way yet can be cancelled. */
export function OrdersView(): ReactElement {
  const { data, error, loading } = useQuery(recentOrders, { errorPolicy: 'all' });
  // The response has the order's key and its status, so the cache updates the row.
  const [cancel, cancellation] = useMutation(cancelOrder);
  return (
    <>
      <h2>Orders</h2>
      <Notice error={error ?? cancellation.error} isLoading={loading && data === undefined} />
      <table>
        <thead>
          <tr>
            <th>Placed</th>
            <th>Customer</th>
            <th>Status</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {data?.orders
            .filter((order) => order !== null)
            .map(({ id, createdAt, customer, status }) => (
              <tr key={id}>
                <td>
                  <a href={`#/orders/${encodeURIComponent(id)}`}>{dates.format(new Date(createdAt))}</a>
                </td>
                <td>{customer?.name ?? '–'}</td>
                <td>{status.toLowerCase()}</td>
                <td>
                  {['PLACED', 'PAID'].includes(status.toUpperCase()) && (
                    <button
                      type="button"
                      onClick={() => {
                        cancel({ variables: { id, reason: 'Changed my mind' } }).catch(() => undefined);
                      }}
                    >
                      Cancel
                    </button>
                  )}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
