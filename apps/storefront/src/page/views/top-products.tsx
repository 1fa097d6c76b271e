import { useQuery } from '@apollo/client/react';
import type { ReactElement } from 'react';

import type { Product } from '../graph/operations.ts';
import { topProducts } from '../graph/operations.ts';
import { Notice } from './notice.tsx';
import { Price, Rating } from './figures.tsx';

/** The front page: what sells best. */
export function TopProductsView(): ReactElement {
  const { data, error, loading } = useQuery(topProducts, { errorPolicy: 'all' });
  return (
    <>
      <h2>Best-sellers</h2>
      <Notice error={error} isLoading={loading && data === undefined} />
      <ul className="cards">
        {data?.topProducts
          .filter((product) => product !== null)
          .map((product) => (
            <Card key={product.id} product={product} />
          ))}
      </ul>
    </>
  );
}

function Card({ product }: { readonly product: Product }): ReactElement {
  const [newest] = product.reviews;
  return (
    <li>
      <a href={`#/products/${encodeURIComponent(product.id)}`}>
        <h3>{product.name}</h3>
        <p>
          <Price minorUnits={product.priceMinorUnits} /> <Rating value={product.averageRating} />
        </p>
        {newest && <blockquote>{newest.body}</blockquote>}
      </a>
    </li>
  );
}
