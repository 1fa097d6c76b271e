// The stub subgraphs, in one process or in `PROCESSES` that share their ports. Each of them executes each different
// request once, and responds from memory from then on: what is measured is the gateway in front of them.
import cluster from 'node:cluster';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { execute, parse } from 'graphql';

import { listen } from '../harness/listen.ts';
import type { SubgraphName } from './workload.ts';
import { schemas, subgraphNames } from './workload.ts';

interface Call {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const productCount = 60;
const userCount = 12;
/**
 * Entities of `Deep` have ids from here on: in each group, at offsets of a hundred, a few users and products that lead
 * to each other through a few reviews.
 */
const firstGroupId = 100_000;
const group = { users: 6, products: 9, reviews: 11 };

const processes = Number(process.env.PROCESSES ?? 1);
if (cluster.isPrimary && processes > 1) {
  for (let started = 0; started < processes; started += 1) {
    cluster.fork();
  }
} else {
  const urls: Record<string, string> = {};
  for (const name of subgraphNames) {
    urls[name] = await serve(name);
  }
  // The test bed reads the subgraphs' addresses, which are the same in each process.
  process.stdout.write(`${JSON.stringify(urls)}\n`);
}

async function serve(name: SubgraphName): Promise<string> {
  const schema = buildSubgraphSchema({ typeDefs: parse(schemas[name]), resolvers: referenceResolvers(name) });
  const responses = new Map<string, Promise<Buffer>>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const known = responses.get(body) ?? responseTo(schema, JSON.parse(body));
    responses.set(body, known);
    const bytes = await known;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
    response.end(bytes);
  };
  const port = await listen(createServer((request, response) => void respond(request, response)));
  return `http://127.0.0.1:${port}/graphql`;
}

async function responseTo(schema: GraphQLSchema, { query, operationName, variables }: Call): Promise<Buffer> {
  const result = await execute({
    schema,
    document: parse(query),
    operationName,
    variableValues: variables,
    fieldResolver: resolveField,
  });
  return Buffer.from(JSON.stringify(result));
}

function referenceResolvers(
  name: SubgraphName,
): Record<string, { __resolveReference: (reference: object) => object }> {
  const types = ['Product', 'User', 'Review'].filter((type) => schemas[name].includes(`type ${type} `));
  return Object.fromEntries(types.map((type) => [type, { __resolveReference: (reference) => reference }]));
}

const resolveField: GraphQLFieldResolver<
  { readonly id?: string; readonly price?: number; readonly weight?: number },
  unknown
> = (source, { first, offset }, _context, { parentType, fieldName }) => {
  const id = Number(source?.id ?? 0);
  const base = id - (id % 100);
  switch (`${parentType.name}.${fieldName}`) {
    case 'Query.topProducts':
      return many(Number(first), (index) => ({ id: String((Number(offset) + index) % productCount) }));
    case 'Query.bestSellers':
      return many(Number(first), (index) => ({ id: String(firstGroupId + Number(offset) * 100 + index) }));
    case 'Query.users':
      return many(group.users, (index) => ({ id: String(firstGroupId + Number(offset) * 100 + index) }));
    case 'Query.me':
      return { id: '1' };
    case 'Product.reviews':
      if (id >= firstGroupId) {
        return reviewsOfGroup(base, (index) => productOfReview(index) === id % 100);
      }
      return many(Number(first), (index) => ({ id: String(id * 10 + index) }));
    case 'User.reviews':
      if (id >= firstGroupId) {
        return reviewsOfGroup(base, (index) => authorOfReview(index) === id % 100);
      }
      return many(Number(first), (index) => ({ id: String(id * 30 + index * 7) }));
    case 'Review.author':
      return { id: String(id >= firstGroupId ? base + authorOfReview(id % 100) : id % userCount) };
    case 'Review.product':
      return { id: String(id >= firstGroupId ? base + productOfReview(id % 100) : id % productCount) };
    case 'Review.rating':
      return 1 + (id % 5);
    case 'Product.price':
      return source.price ?? 100 + id;
    case 'Product.weight':
      return source.weight ?? 10 + id;
    case 'Product.isInStock':
      return id % 3 > 0;
    case 'Product.shippingEstimate':
      return (source.price ?? 0) + (source.weight ?? 0);
    case 'Review.body':
      return id >= firstGroupId
        ? `I would buy it again, and so would my neighbours (${id}).`
        : `What review ${id} has to say: "it does what it says", and it says it in a sentence of the usual length.`;
    case 'Product.description':
      return `Product ${id} — made of parts, in a box, with a manual in 24 languages.`;
    default:
      return fieldName === 'id' ? source.id : `${parentType.name} ${fieldName} ${id}`;
  }
};

/** Two users write all reviews, of three products, so that each review leads back to the same few entities. */
function authorOfReview(index: number): number {
  return index < 8 ? 0 : 1;
}

function productOfReview(index: number): number {
  return index % 3;
}

function reviewsOfGroup(base: number, isMeant: (index: number) => boolean): { readonly id: string }[] {
  return many(group.reviews, (index) => index)
    .filter(isMeant)
    .map((index) => ({ id: String(base + index) }));
}

function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
