// A press in three subgraphs, and the same press as one: an interface object of which fields are selected for
// some of its types, and fields that require each other in chains that go from one subgraph to another and back.
import type { SubgraphDefinition } from './stub-subgraph.ts';

interface WriterRow {
  readonly id: string;
  readonly pay: number;
  readonly days: number;
}

interface Reference {
  readonly id: string;
}

const media = [
  { __typename: 'Book', id: 'b1', title: 'Emma', pages: 500 },
  { __typename: 'Film', id: 'f1', title: 'Alien', minutes: 117 },
  { __typename: 'Song', id: 's1', title: 'Help', minutes: 2 },
];
const writers: readonly WriterRow[] = [
  { id: 'w1', pay: 100, days: 7 },
  { id: 'w2', pay: 200, days: 14 },
];
const agencies = [
  { id: 'a1', code: 'c1', staff: 3, rent: 50, clients: 11 },
  { id: 'a2', code: 'c2', staff: 5, rent: 70, clients: 13 },
];

const mediumOf = ({ id }: Reference) => media.find((medium) => medium.id === id);
const writerOf = ({ id }: Reference) => writers.find((writer) => writer.id === id);
const inPeriod = (days: number, period: string | null | undefined): number =>
  period === 'WEEK' ? days / 7 : days;

/** The values of the computed fields, from their inputs alone. A missing input fails. */
const formulas = {
  score: (id: string): number => id.length,
  /** Only a film has a critic. */
  critic: (id: string): string | null => (id.startsWith('f') ? `critic of ${id}` : null),
  next: (id: string): string =>
    media[(media.findIndex((medium) => medium.id === id) + 1) % media.length]?.id ?? id,
  blurb: (title: string): string => `${title.toUpperCase()}!`,
  grade: (weeks: number): number => weeks.valueOf() * 10,
  bonus: (grade: number): number => grade.valueOf() + 1,
  tax: (pay: number, days: number, bonus: number): string => `${pay} ${days} ${bonus.valueOf()}`,
  refund: (tax: string): string => `refund of ${tax.valueOf()}`,
  net: (refund: string): string => `net of ${refund.valueOf()}`,
  rank: (staff: number): number => staff.valueOf() * 2,
  rating: (rent: number, rank: number): string => `${rent} ${rank.valueOf()}`,
  fee: (clients: number): number => clients.valueOf() * 3,
  margin: (fee: number): number => fee.valueOf() - 1,
};

const period = 'enum Period { DAY WEEK }';

export const press = {
  desk: {
    sdl: `${period}
      type Query { media: [Media!]!   writers: [Writer!]!  agencies: [Agency!]! }
      interface Media @key(fields: "id") { id: ID!  title: String }
      type Book implements Media @key(fields: "id") { id: ID!  title: String  pages: Int! }
      type Film implements Media @key(fields: "id") { id: ID!  title: String  minutes: Int! }
      type Song implements Media @key(fields: "id") { id: ID!  title: String  minutes: Int! }
      type Writer @key(fields: "id") { id: ID! }
      type Agency @key(fields: "id") { id: ID!  staff: Int! }
    `,
    resolvers: {
      Query: { media: () => media, writers: () => writers, agencies: () => agencies },
      Media: { __resolveReference: mediumOf },
      Book: { __resolveReference: mediumOf },
      Film: { __resolveReference: mediumOf },
      Song: { __resolveReference: mediumOf },
      Agency: { __resolveReference: ({ id }: Reference) => agencies.find((agency) => agency.id === id) },
    },
  },
  office: {
    sdl: `${period}
      type Query { critics: [Media!]! }
      type Media @interfaceObject @key(fields: "id") {
        id: ID!
        title: String @external
        score: Int!
        critic: String!
        next: Media!
        blurb: String! @requires(fields: "title")
      }
      type Writer @key(fields: "id") {
        id: ID!
        pay: Int!
        time(period: Period = DAY): Int!
        grade: Int! @external
        bonus: Int! @requires(fields: "grade")
        tax: String! @external
        refund: String! @requires(fields: "tax")
      }
      type Agency @key(fields: "id") @key(fields: "code") {
        id: ID!
        code: ID!
        rent: Int!
        staff: Int! @external
        rank: Int! @requires(fields: "staff")
        clients: Int! @external
        fee: Int! @requires(fields: "clients")
      }
    `,
    resolvers: {
      Query: { critics: () => media.map(({ id }) => ({ id })) },
      Media: {
        score: ({ id }: Reference) => formulas.score(id),
        critic: ({ id }: Reference) => formulas.critic(id),
        next: ({ id }: Reference) => ({ id: formulas.next(id) }),
        blurb: ({ title }: { title: string }) => formulas.blurb(title),
      },
      Writer: {
        pay: (writer: Reference) => writerOf(writer)?.pay,
        time: (writer: Reference, { period: unit }: { period?: string }) =>
          inPeriod(writerOf(writer)?.days ?? 0, unit),
        bonus: ({ grade }: { grade: number }) => formulas.bonus(grade),
        refund: ({ tax }: { tax: string }) => formulas.refund(tax),
      },
      Agency: {
        __resolveReference: (reference: { id?: string; code?: string }) => ({
          ...agencies.find(({ id, code }) => id === reference.id || code === reference.code),
          // Known elsewhere: here they are only what the representation says.
          staff: undefined,
          clients: undefined,
          ...reference,
        }),
        rank: ({ staff }: { staff: number }) => formulas.rank(staff),
        fee: ({ clients }: { clients: number }) => formulas.fee(clients),
      },
    },
  },
  bureau: {
    sdl: `${period}
      type Writer @key(fields: "id") {
        id: ID!
        pay: Int! @external
        time(period: Period = DAY): Int! @external
        grade: Int! @requires(fields: "time(period: WEEK)")
        bonus: Int! @external
        tax: String! @requires(fields: "pay time bonus")
        refund: String! @external
        net: String! @requires(fields: "refund")
      }
      type Agency @key(fields: "code") {
        code: ID!
        rent: Int! @external
        rank: Int! @external
        rating: String! @requires(fields: "rent rank")
        clients: Int!
        fee: Int! @external
        margin: Int! @requires(fields: "fee")
      }
    `,
    resolvers: {
      Writer: {
        grade: ({ time }: { time: number }) => formulas.grade(time),
        tax: ({ pay, time, bonus }: { pay: number; time: number; bonus: number }) =>
          formulas.tax(pay, time, bonus),
        net: ({ refund }: { refund: string }) => formulas.net(refund),
      },
      Agency: {
        rating: ({ rent, rank }: { rent: number; rank: number }) => formulas.rating(rent, rank),
        clients: ({ code }: { code: string }) => agencies.find((agency) => agency.code === code)?.clients,
        margin: ({ fee }: { fee: number }) => formulas.margin(fee),
      },
    },
  },
} satisfies Record<string, SubgraphDefinition>;

function wholeMedium(medium: (typeof media)[number]): object {
  const { id, title } = medium;
  return {
    ...medium,
    score: formulas.score(id),
    critic: () => formulas.critic(id),
    next: () => wholeMedium(mediumOf({ id: formulas.next(id) }) ?? medium),
    blurb: formulas.blurb(title),
  };
}

function wholeWriter({ id, pay, days }: WriterRow): object {
  const grade = formulas.grade(inPeriod(days, 'WEEK'));
  const bonus = formulas.bonus(grade);
  const time = ({ period: unit }: { period?: string }): number => inPeriod(days, unit);
  const tax = formulas.tax(pay, days, bonus);
  const refund = formulas.refund(tax);
  return { id, pay, time, grade, bonus, tax, refund, net: formulas.net(refund) };
}

function wholeAgency(agency: (typeof agencies)[number]): object {
  const rank = formulas.rank(agency.staff);
  const fee = formulas.fee(agency.clients);
  const rating = formulas.rating(agency.rent, rank);
  return { ...agency, rank, rating, fee, margin: formulas.margin(fee) };
}

/** The root of the same press without subgraphs. */
export const wholePress = {
  media: () => media.map(wholeMedium),
  critics: () => media.map(wholeMedium),
  writers: () => writers.map(wholeWriter),
  agencies: () => agencies.map(wholeAgency),
};
