import { useQuery } from '@apollo/client/react';
import type { ReactElement } from 'react';

import { orderDetails } from '../graph/operations.ts';
import { useOrderChanges } from './use-order-changes.ts';
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
