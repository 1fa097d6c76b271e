import type { ReactElement } from 'react';
import { useEffect, useState } from 'react';

import { OrdersView } from './views/orders.tsx';
import { ProductView } from './views/product.tsx';
import { TopProductsView } from './views/top-products.tsx';

/** The shop. The part of the URL after `#` selects the view. */
export function Shop(): ReactElement {
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
        </nav>
      </header>
      <main>{viewAt(place)}</main>
    </>
  );
}

function viewAt(place: string): ReactElement {
  if (place === '/orders') {
    return <OrdersView />;
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
