import { useMutation, useQuery } from '@apollo/client/react';
import type { FormEvent, ReactElement } from 'react';
import { useState } from 'react';

import type { Review } from '../graph/operations.ts';
import { addReview, productDetails } from '../graph/operations.ts';
import { Notice } from './notice.tsx';
import { Price, Rating } from './figures.tsx';

/** The page of one product, where it can be reviewed. */
export function ProductView({ id }: { readonly id: string }): ReactElement {
  const { data, error, loading } = useQuery(productDetails, { variables: { id }, errorPolicy: 'all' });
  const product = data?.product;
  return (
    <>
      <Notice error={error} isLoading={loading && data === undefined} />
      {product === null && error === undefined && <p>There is no such product.</p>}
      {product && (
        <>
          <h2>{product.name}</h2>
          <p>
            <Price minorUnits={product.priceMinorUnits} /> <Rating value={product.averageRating} />
          </p>
          <ReviewForm productId={id} />
          <ul className="reviews">
            {product.reviews.map((review) => (
              <ReviewItem key={review.id} review={review} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function ReviewItem({ review: { rating, body, author } }: { readonly review: Review }): ReactElement {
  return (
    <li>
      <Rating value={rating} /> {body} <small>{author?.name ?? 'somebody'}</small>
    </li>
  );
}

function ReviewForm({ productId }: { readonly productId: string }): ReactElement {
  const [body, setBody] = useState('');
  const [rating, setRating] = useState(5);
  const [send, { error, loading }] = useMutation(addReview, {
    // The response has the new average. The list is not read again: the browser may have cached its GET.
    update: (cache, { data }) => {
      cache.updateQuery({ query: productDetails, variables: { id: productId } }, (held) =>
        held?.product && data
          ? { product: { ...held.product, reviews: [data.addReview, ...held.product.reviews] } }
          : undefined,
      );
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send({ variables: { productId, rating, body } }).then(
      () => setBody(''),
      // The form shows it.
      () => undefined,
    );
  };
  return (
    <form onSubmit={submit}>
      <label>
        Rating
        <input
          type="number"
          min={1}
          max={5}
          value={rating}
          onChange={({ target }) => setRating(target.valueAsNumber)}
        />
      </label>
      <label>
        Your review
        <input required value={body} onChange={({ target }) => setBody(target.value)} />
      </label>
      <button disabled={loading}>Send</button>
      <Notice error={error} isLoading={false} />
    </form>
  );
}
