import { demoOrders, demoProducts } from '@meridian/demo-data';

/** One kind of request of the load. */
export interface SoakRequest {
  readonly name: string;
  /** How often it is chosen, against the others. */
  readonly weight: number;
  readonly body: object;
  /** What is wrong with an answer that came while every service was there; undefined where nothing is. */
  readonly fault: (answer: GraphAnswer) => string | undefined;
}

export interface GraphAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

const [product] = demoProducts('acme');
const [order] = demoOrders('acme');

/** The load: what a shop's clients ask for, and some that nobody should. */
const soakRequests: readonly SoakRequest[] = [
  {
    name: 'top products',
    weight: 8,
    body: { query: 'query TopProducts { topProducts(first: 5) { id name priceMinorUnits } }' },
    fault: complete('topProducts'),
  },
  {
    name: 'reviews and their authors',
    weight: 6,
    body: {
      query:
        'query Reviewed { topProducts(first: 20) { id averageRating reviews(first: 10) { id rating author { id name } } } }',
    },
    fault: complete('topProducts'),
  },
  {
    name: 'a product',
    weight: 6,
    body: {
      query: 'query Details($id: ID!) { product(id: $id) { id name reviews(first: 3) { body } } }',
      variables: { id: product?.id },
    },
    fault: complete('product'),
  },
  {
    name: 'an order through three subgraphs',
    weight: 4,
    body: {
      query:
        'query Support($id: ID!) { order(id: $id) { id status customer { id name } lineItems { quantity product { id name averageRating } } } }',
      variables: { id: order?.id },
    },
    fault: complete('order'),
  },
  {
    name: 'a review',
    weight: 1,
    body: {
      query:
        'mutation Add($productId: ID!) { addReview(productId: $productId, rating: 4, body: "soaked") { id rating } }',
      variables: { productId: product?.id },
    },
    fault: complete('addReview'),
  },
  {
    name: 'a field that is not there',
    weight: 1,
    body: { query: 'query Wrong { nothing }' },
    fault: refused('GRAPHQL_VALIDATION_FAILED'),
  },
  {
    name: 'a page that is too long',
    weight: 1,
    body: { query: 'query TooLong { topProducts(first: 101) { id } }' },
    fault: refused('PAGE_SIZE_LIMIT'),
  },
];

function complete(field: string): SoakRequest['fault'] {
  return ({ data, errors = [] }) => {
    if (errors.length > 0) {
      return `errors without a reason: ${codesOf(errors).join(', ')}`;
    }
    return data?.[field] === undefined || data[field] === null ? `no ${field}` : undefined;
  };
}

function refused(code: string): SoakRequest['fault'] {
  return ({ errors = [] }) => {
    const codes = codesOf(errors);
    return codes.includes(code)
      ? undefined
      : `not refused with ${code}, but ${codes.join(', ') || 'answered'}`;
  };
}

function codesOf(errors: NonNullable<GraphAnswer['errors']>): readonly string[] {
  return [...new Set(errors.map(({ extensions }) => extensions?.code ?? 'no code'))];
}

/** One of the requests, as often as their weights say. */
export function chooseRequest(): SoakRequest {
  const total = soakRequests.reduce((sum, { weight }) => sum + weight, 0);
  let rest = Math.random() * total;
  for (const request of soakRequests) {
    rest -= request.weight;
    if (rest < 0) {
      return request;
    }
  }
  throw new Error('There is no request to send');
}
