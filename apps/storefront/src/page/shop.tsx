import type { ReactElement } from 'react';
import { useEffect, useState } from 'react';

import type { Ledger } from './ledger/ledger.ts';
import { LedgerView } from './views/ledger.tsx';
import { OrderView } from './views/order.tsx';
import { OrdersView } from './views/orders.tsx';
import { ProductView } from './views/product.tsx';
import { TopProductsView } from './views/top-products.tsx';

/** The shop. The part of the URL after `#` selects the view. */
export function Shop({ ledger }: { readonly ledger: Ledger }): ReactElement {
  const place = usePlace();
  return (
    <>
      <header>
        <h1>
          <a href="#/">Storefront</a>
        </h1>
        <nav>
          <a href="#/">Best-sellers</a>
          <a href="#/orders">Orders</a>
          <a href="#/ledger">Ledger</a>
        </nav>
      </header>
      <main>{viewAt(place, ledger)}</main>
    </>
  );
}

function viewAt(place: string, ledger: Ledger): ReactElement {
  if (place === '/orders') {
    return <OrdersView />;
  }
  const [, orderId] = /^\/orders\/(.+)$/.exec(place) ?? [];
  if (orderId !== undefined) {
    return <OrderView key={orderId} id={decodeURIComponent(orderId)} />;
  }
  const [isLedger, accountId] = /^\/ledger(?:\/(.+))?$/.exec(place) ?? [];
  if (isLedger !== undefined) {
    return <LedgerView ledger={ledger} accountId={accountId && decodeURIComponent(accountId)} />;
  }
  const [, id] = /^\/products\/(.+)$/.exec(place) ?? [];
  return id === undefined ? <TopProductsView /> : <ProductView key={id} id={decodeURIComponent(id)} />;
}

function usePlace(): string {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const update = (): void => setPlace(currentPlace());
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return place;
}

function currentPlace(): string {
  return window.location.hash.slice(1);
}
