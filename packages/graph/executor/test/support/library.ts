// A library in four subgraphs: interfaces and unions, an interface object, compound keys, nested lists.
import type { SubgraphDefinition } from './stub-subgraph.ts';

const books = [
  {
    __typename: 'Book',
    id: 'b1',
    title: 'Emma',
    pages: 500,
    genre: 'NOVEL',
    tags: ['old'],
    weight: 0.5,
    lent: false,
  },
  {
    __typename: 'Book',
    id: 'b2',
    title: 'Ulysses',
    pages: 700,
    genre: 'NOVEL',
    tags: [],
    weight: 1,
    lent: true,
  },
];
const films = [{ __typename: 'Film', id: 'f1', title: 'Alien', minutes: 117 }];
const media = [...books, ...films];
const authors = [
  { __typename: 'Author', id: 'a1', name: 'Ann' },
  { __typename: 'Author', id: 'a2', name: 'Bob' },
];
const reviews = [
  { of: 'b1', stars: 5, text: 'Good', author: { id: 'a1' } },
  { of: 'b1', stars: 3, text: 'Long', author: { id: 'a2' } },
  { of: 'b2', stars: 4, text: 'Odd', author: { id: 'a1' } },
  { of: 'f1', stars: 5, text: 'Loud', author: { id: 'a2' } },
];

interface Reference {
  readonly id: string;
}

const mediumOf = ({ id }: Reference) => media.find((medium) => medium.id === id) ?? null;
const reviewsOf = ({ id }: Reference, { stars }: { stars?: number }) =>
  reviews.filter((review) => review.of === id && (stars === undefined || review.stars === stars));

export const library = {
  books: {
    sdl: `
      type Query {
        books: [Book!]!
        films: [Film!]!
        media: [Medium]!
        search: [Found!]!
        shelves: [[Book!]!]!
        copies: [Copy!]!
      }
      enum Genre { NOVEL ESSAY }
      interface Medium @key(fields: "id") { id: ID!  title(lang: String): String! }
      type Book implements Medium @key(fields: "id") {
        id: ID!
        title(lang: String): String!
        pages: Int @shareable
        subtitle: String
        genre: Genre
        tags: [String]
        weight: Float
        lent: Boolean
        sequel: Book
        spine: Spine
      }
      type Spine { color: String  width(unit: String): Int }
      type Film implements Medium @key(fields: "id") { id: ID!  title(lang: String): String!  minutes: Int }
      union Found = Book | Author
      type Author @key(fields: "id") { id: ID! }
      type Copy @key(fields: "number shelf { code }") { number: Int!  shelf: Shelf! }
      type Shelf @shareable { code: String! }
    `,
    resolvers: {
      Query: {
        books: () => books,
        films: () => films,
        media: () => media,
        search: () => [books[0], authors[1]],
        shelves: () => [books, [], books.slice(1)],
        copies: () => [
          { number: 1, shelf: { code: 'A' } },
          { number: 2, shelf: { code: 'B' } },
        ],
      },
      Medium: { __resolveReference: mediumOf },
      Book: {
        __resolveReference: mediumOf,
        spine: ({ id }: Reference) => ({ color: `color of ${id}`, width: 3 }),
      },
      Film: { __resolveReference: mediumOf },
    },
  },
  reviews: {
    sdl: `
      type Query { featured: [Feature!]! }
      type Mutation { rate(id: ID!, stars: Int!): Review! }
      type Feature { title: String!  book: Book! @provides(fields: "pages") }
      type Book @key(fields: "id") {
        id: ID!
        pages: Int @external
        tags: [String] @external
        spine: Spine @external
        reviews(stars: Int): [Review!]!
        summary: String @requires(fields: "pages tags spine { color width(unit: \\"mm\\") }")
      }
      type Spine { color: String @external  width(unit: String): Int @external }
      type Film @key(fields: "id") { id: ID!  reviews(stars: Int): [Review!]! }
      type Review { stars: Int!  text: String  author: Author  book: Book }
      type Author @key(fields: "id") { id: ID! }
    `,
    resolvers: {
      Query: { featured: () => [{ title: 'Of the week', book: { id: 'b2', pages: 700 } }] },
      Mutation: {
        rate: (_root: unknown, { id, stars }: { id: string; stars: number }) => ({ stars, book: { id } }),
      },
      Book: {
        reviews: reviewsOf,
        summary: (book: { pages: number; tags: string[]; spine: { color: string; width: number } }) =>
          `${book.pages} pages, ${book.tags.join()}, ${book.spine.color} ${book.spine.width}`,
      },
      Film: { reviews: reviewsOf },
    },
  },
  authors: {
    sdl: `
      type Query { authors: [Author!]! }
      type Author @key(fields: "id") { id: ID!  name: String! }
      type Copy @key(fields: "number shelf { code }") { number: Int!  shelf: Shelf!  borrower: Author }
      type Shelf @shareable { code: String! }
    `,
    resolvers: {
      Query: { authors: () => authors },
      Author: {
        __resolveReference: ({ id }: Reference) => authors.find((author) => author.id === id) ?? null,
      },
      Copy: {
        borrower: ({ number, shelf }: { number: number; shelf: { code: string } }) =>
          shelf.code === 'A' ? authors[number] : authors[0],
      },
    },
  },
  likes: {
    sdl: `
      type Query { mostLiked: Medium }
      type Medium @key(fields: "id") @interfaceObject { id: ID!  likes: Int! }
    `,
    resolvers: {
      Query: { mostLiked: () => ({ id: 'b1' }) },
      Medium: { likes: ({ id }: Reference) => id.length + id.charCodeAt(1) },
    },
  },
} satisfies Record<string, SubgraphDefinition>;
